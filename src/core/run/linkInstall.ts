/** How the link module gets into the environment of a run. */
import { join } from './paths';

/** The function that the launch line names. */
export const LINK_FUNCTION = 'envwright_link.rollout.generate';

/** One of `pip` and `pythonPath`, in the shell that starts the run; and `flag` on its launch line. */
export interface LinkInstall {
  readonly folder: string;
  readonly pip: string;
  readonly pythonPath: string;
  readonly flag: string;
}

/** The commands, with the folder of Envwright's Python parts. Runs start from a POSIX shell. */
export function linkInstall(pythonFolder: string): LinkInstall {
  const folder = join(pythonFolder, 'envwright_link');
  return {
    folder,
    pip: `python -m pip install --no-deps ${quoted(folder)}`,
    pythonPath: `export PYTHONPATH=${quoted(pythonFolder)}"\${PYTHONPATH:+:$PYTHONPATH}"`,
    flag: `--rollout-function-path ${LINK_FUNCTION}`,
  };
}

function quoted(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
