import fs from 'node:fs';
import path from 'node:path';
import { ensureChromium } from './chromium';
import { displayPrefix, downloadDesktopEditor } from './desktop';
import { projectRoot } from './paths';
import { ensureServedEditor } from './servedEditor';

/** The `code` for `runTests`: the desktop editor where it can be downloaded and shown, else what stands in for it. */
export async function editorExecutable(): Promise<string> {
  const desktop = await downloadDesktopEditor();
  if (desktop) {
    console.log(`Editor: ${desktop}`);
    return onDisplay(desktop);
  }
  console.log('Editor: npm-served (the desktop editor cannot be downloaded or shown here)');
  await ensureServedEditor();
  await ensureChromium();
  const shim = path.join(projectRoot, 'out', 'test', 'editor', 'codeShim.main.js');
  fs.chmodSync(shim, 0o755);
  return shim;
}

/** `runTests` takes one executable, so a virtual display is put before it by a small script. */
function onDisplay(executable: string): string {
  const prefix = displayPrefix();
  if (prefix.length === 0) return executable;
  const file = path.join(projectRoot, 'out', 'test', 'editor', 'codeOnDisplay.sh');
  fs.writeFileSync(file, `#!/bin/sh\nexec ${prefix.join(' ')} '${executable}' --no-sandbox "$@"\n`, { mode: 0o755 });
  return file;
}
