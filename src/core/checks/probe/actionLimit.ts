/** Longest action that evidence keeps whole, in UTF-16 units; a longer one is cut and cannot be replayed. */
export const ACTION_LIMIT = 8000;
