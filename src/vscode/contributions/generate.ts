/** Writes the generated parts of `package.json`, `package.nls.json` and the README; run by `npm run generate` in the project's folder. */
import { readFileSync, writeFileSync } from 'node:fs';
import { buildManifest } from './manifest';
import { withSettings } from './readme';

const { fields, texts } = buildManifest();
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, unknown>;
writeFileSync('package.json', `${JSON.stringify({ ...manifest, ...fields }, null, 2)}\n`);
writeFileSync('package.nls.json', `${JSON.stringify(texts, null, 2)}\n`);
writeFileSync('README.md', withSettings(readFileSync('README.md', 'utf8')));
