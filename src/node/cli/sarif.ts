import { relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { catalog } from '../../core/checks/catalog';
import type { CheckDocument, CliFinding } from '../../shared/cliDocuments';
import { formatMessage } from '../../shared/message';
import { spelledText } from '../../shared/unseen';

const LEVEL = { error: 'error', warning: 'warning', info: 'note' } as const;

/** Below the working folder a relative address, as code hosts want it; else a whole one. */
function address(file: string, cwd: string): { uri: string; uriBaseId?: string } {
  const path = relative(cwd, file);
  return path.startsWith('..') || path === file ? { uri: pathToFileURL(file).href } : { uri: path.split(sep).map(encodeURIComponent).join('/'), uriBaseId: 'SRCROOT' };
}

/** A message as SARIF's plain text. Brackets before parentheses would be a link there, and an environment's words may hold some, and signs that act. */
function plain(message: string): { text: string } {
  const text = spelledText(message);
  return { text: text.includes('](') ? text.replace(/[[\]]/g, '\\$&') : text };
}

function result(file: string, cwd: string, finding: CliFinding, suppressed: boolean): object {
  const { id, severity, message, line, column, endLine, endColumn, evidence } = finding;
  return {
    ruleId: id,
    level: LEVEL[severity],
    message: plain(message),
    locations: [{
      physicalLocation: { artifactLocation: address(file, cwd), region: { startLine: line, startColumn: column, endLine, endColumn } },
    }],
    ...(evidence ? { properties: { evidence } } : {}),
    suppressions: suppressed ? [{ kind: 'external', justification: 'recorded by the user' }] : [],
  };
}

/** The reports as SARIF 2.1.0. Checks that could not be made are notifications, so that a clean file cannot be mistaken for an unchecked one. */
export function sarif({ files }: CheckDocument, cwd: string): object {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{
      tool: { driver: { name: 'Envwright', rules: catalog.map(({ id, title }) => ({ id, shortDescription: { text: formatMessage(title) } })) } },
      columnKind: 'utf16CodeUnits',
      originalUriBaseIds: { SRCROOT: { uri: `${pathToFileURL(cwd).href}/` } },
      invocations: [{
        executionSuccessful: files.every(({ verdict }) => verdict !== 'cannot-run'),
        toolExecutionNotifications: files.flatMap(({ file, notChecked }) => notChecked.map(({ id, reason }) => ({
          level: 'note', message: plain(`${id} was not checked: ${reason}`), locations: [{ physicalLocation: { artifactLocation: address(file, cwd) } }],
        }))),
      }],
      results: files.flatMap(({ file, findings, suppressed }) => [
        ...findings.map((finding) => result(file, cwd, finding, false)), ...suppressed.map((finding) => result(file, cwd, finding, true)),
      ]),
    }],
  };
}
