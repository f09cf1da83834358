import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { answers } from './process';

const UPDATE_SERVER = 'https://update.code.visualstudio.com/api/releases/stable';

/**
 * The desktop editor, downloaded, or undefined where that is not to be had: no update server within reach, or no display
 * (and no Xvfb) to open it on. `ENVWRIGHT_EDITOR=served` skips it.
 */
export async function downloadDesktopEditor(): Promise<string | undefined> {
  if (process.env.ENVWRIGHT_EDITOR === 'served' || !(await hasDisplay())) return undefined;
  try {
    const reply = await fetch(UPDATE_SERVER, { signal: AbortSignal.timeout(5_000) });
    if (!reply.ok) return undefined;
  } catch {
    return undefined;
  }
  return downloadAndUnzipVSCode();
}

/** Command and arguments before the editor's own: Xvfb stands for a display where there is none. */
export function displayPrefix(): string[] {
  return needsVirtualDisplay() ? ['xvfb-run', '-a'] : [];
}

const needsVirtualDisplay = () => process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY;

const hasDisplay = async () => !needsVirtualDisplay() || (await answers('xvfb-run'));
