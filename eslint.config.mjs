import tseslint from 'typescript-eslint';
import importX from 'eslint-plugin-import-x';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';

/** Which folder may import from which: an arrow of the architecture is a zone here. */
const zones = [
  { target: './src/shared', from: './src', except: ['./shared'], message: 'shared imports only zod.' },
  { target: './src/core', from: './src', except: ['./core', './shared'], message: 'core imports only core and shared.' },
  { target: './src/node', from: './src', except: ['./node', './core', './shared'], message: 'node adapters know core and shared only.' },
  { target: './src/vscode', from: './src', except: ['./vscode', './core', './shared'], message: 'editor adapters know core and shared only.' },
  { target: './webview', from: './src', except: ['./shared'], message: 'the webview shares only src/shared.' },
  { target: './src', from: './webview', message: 'src never imports the webview.' },
  { target: './src', from: './test', message: 'fakes live only under test.' },
];

const noVscode = { name: 'vscode', message: 'Only src/vscode and extension.ts may import vscode.' };
const noToolkit = { name: '@vscode/webview-ui-toolkit', message: 'Only webview/ui/controls.ts imports the toolkit.' };
const noNode = { group: ['node:*', 'fs', 'path', 'os', 'child_process', 'crypto'], message: 'core is pure: use a port.' };

export default tseslint.config(
  { ignores: ['dist/**', 'out/**', 'node_modules/**', 'test/fixtures/**', 'media/**'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { project: ['./tsconfig.json', './webview/tsconfig.json', './test/e2e/tsconfig.json'], tsconfigRootDir: import.meta.dirname } },
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver({ noWarnOnMultipleProjects: true, project: ['./tsconfig.json', './webview/tsconfig.json', './test/e2e/tsconfig.json'] })] },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones }],
      'import-x/no-cycle': 'error',
      'no-restricted-imports': ['error', { paths: [noVscode, noToolkit] }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/only-throw-error': 'error',
      eqeqeq: 'error',
    },
  },
  { files: ['src/core/**/*.ts'], rules: { 'no-restricted-imports': ['error', { paths: [noVscode, noToolkit], patterns: [noNode] }] } },
  {
    files: ['src/shared/**/*.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: [{ regex: '^(?!zod$|\\.)', message: 'shared imports only zod.' }] }] },
  },
  { files: ['src/vscode/**/*.ts', 'src/extension.ts', 'test/host/**/*.ts'], rules: { 'no-restricted-imports': ['error', { paths: [noToolkit] }] } },
  { files: ['webview/ui/controls.ts'], rules: { 'no-restricted-imports': ['error', { paths: [noVscode] }] } },
  { files: ['**/*.js', '**/*.mjs'], ...tseslint.configs.disableTypeChecked },
  { files: ['**/*.js'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
);
