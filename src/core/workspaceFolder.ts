/** The folder in a workspace in which Envwright keeps what the user made and decided there. */
export const WORKSPACE_FOLDER = '.envwright';
