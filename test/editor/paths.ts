import os from 'node:os';
import path from 'node:path';

/** The project's folder; the bundles of this folder lie in `out/test/editor`. */
export const projectRoot = path.resolve(__dirname, '..', '..', '..');

/** Where editors are kept between runs. Nothing in it is the project's: it may be deleted at any time. */
export const editorCache = process.env.ENVWRIGHT_EDITOR_CACHE ?? path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'envwright');

/** Pictures and reports of a test run. */
export const resultsFolder = path.join(projectRoot, 'test-results');
