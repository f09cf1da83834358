import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import type { HealthLine, ModelRole } from '../../core/ports';
import type { Message } from '../../shared/message';
import { MODEL_ROLES } from '../../shared/modelProfile';
import type { ReadOnlyDocuments } from '../documents';
import { localize } from '../localize';
import type { ModelSource } from '../models/modelSource';
import type { NodePorts } from '../nodePorts';
import { markdownLine } from '../../core/plainText';
import { withProgress, type Report } from '../progress';
import type { SandboxSource } from '../sandboxSource';

/** Longest detail of a line, in characters: some come from servers and interpreters. */
const DETAIL = 500;

/** What the doctor looks at. */
export interface DoctorParts {
  readonly sandbox: SandboxSource;
  readonly models: ModelSource;
  readonly ports: Pick<NodePorts, 'testConnection'>;
  readonly documents: ReadOnlyDocuments;
}

/** What works here and what does not. */
export function doctorLines({ sandbox, models, ports }: DoctorParts): Promise<readonly HealthLine[]> {
  return withProgress(vscode.l10n.t('Envwright: looking at the set-up'), async (signal, report) => [
    trustLine(),
    ...(await linesOf('sandbox', () => sandboxLines(sandbox, signal))),
    ...(await linesOf('model', () => modelLines(models, ports, signal, report))),
  ]);
}

/** Says what works and what does not, with the next step of each, in a read-only document. Gives the lines. */
export async function runDoctor(parts: DoctorParts): Promise<readonly HealthLine[]> {
  const lines = await doctorLines(parts);
  await parts.documents.showRendered('Doctor.md', report(vscode.l10n.t('What works and what does not'), lines));
  return lines;
}

/** Tests the models of the settings and shows the lines. */
export async function testConnection({ models, ports, documents }: DoctorParts): Promise<readonly HealthLine[]> {
  const lines = await withProgress(vscode.l10n.t('Envwright: testing the connection'), (signal, report) => modelLines(models, ports, signal, report));
  await documents.showRendered('Connection.md', report(vscode.l10n.t('Connection to the models'), lines));
  return lines;
}

function trustLine(): HealthLine {
  const ok = vscode.workspace.isTrusted;
  return {
    name: 'workspace trust',
    ok,
    detail: ok ? vscode.l10n.t('The workspace is trusted.') : vscode.l10n.t('Not trusted: only static checks are made, nothing runs.'),
    next: ok ? null : vscode.l10n.t('Trust the workspace, if you trust its files.'),
  };
}

async function sandboxLines(sandbox: SandboxSource, signal: AbortSignal): Promise<readonly HealthLine[]> {
  let failure: HealthLine[] = [];
  try {
    await sandbox.get(signal);
  } catch (error) {
    failure = [lineOf('sandbox', error)];
  }
  return [...failure, ...(await sandbox.health())];
}

/** The model of every role: roles that are asked in the same place are tested once. */
async function modelLines(models: ModelSource, ports: Pick<NodePorts, 'testConnection'>, signal: AbortSignal, report: Report): Promise<readonly HealthLine[]> {
  const places = new Map<string, ModelRole[]>();
  for (const role of MODEL_ROLES) {
    const { provider, endpoint, model, extraBody } = models.profile(role);
    const place = JSON.stringify(provider === 'offline-samples' ? [provider] : [provider, endpoint, model, extraBody]);
    places.set(place, [...(places.get(place) ?? []), role]);
  }
  const lines: HealthLine[] = [];
  for (const roles of places.values()) {
    const forWhom = places.size === 1 ? '' : `${roles.join(', ')}: `;
    const found = await linesOf('model', () => placeLines(roles[0]!, models, ports, signal, (text) => report(`${forWhom}${text}`)));
    lines.push(...found.map((line) => ({ ...line, name: `${forWhom}${line.name}` })));
  }
  return lines;
}

async function placeLines(role: ModelRole, models: ModelSource, ports: Pick<NodePorts, 'testConnection'>, signal: AbortSignal, report: Report): Promise<readonly HealthLine[]> {
  const { provider, endpoint, model, thinking } = models.profile(role);
  if (provider === 'offline-samples') {
    return [{
      name: 'model',
      ok: true,
      detail: vscode.l10n.t('Offline samples answer. They are not a model.'),
      next: vscode.l10n.t('To use a model, set envwright.model.provider, endpoint and name.'),
    }];
  }
  const step = (text: Message) => report(localize(text));
  if (provider === 'vscode-lm') return (await import('../models/editorModelTest')).testEditorModel(model, signal, step);
  const setup = await models.setup(role);
  return [{ name: 'endpoint', ok: true, detail: `${endpoint} · ${setup.model}`, next: null }, ...(await ports.testConnection({ ...setup, thinking }, signal, step))];
}

/** Lines of one part; a part that fails is a line, too. */
async function linesOf(name: string, work: () => Promise<readonly HealthLine[]>): Promise<readonly HealthLine[]> {
  try {
    return await work();
  } catch (error) {
    return [lineOf(name, error)];
  }
}

function lineOf(name: string, error: unknown): HealthLine {
  if (!(error instanceof EnvwrightError)) throw error;
  return { name, ok: false, detail: localize(error.what), next: localize(error.next) };
}

/** The lines as a Markdown table; details are text only. */
export function report(title: string, lines: readonly HealthLine[]): string {
  const cell = (text: string) => markdownLine(text, DETAIL);
  const sign = ({ ok, next }: HealthLine) => (ok ? (next === null ? '✓' : 'i') : '✗');
  const rows = lines.map((line) => `| ${sign(line)} | ${cell(line.name)} | ${cell(line.detail)} | ${line.next ? cell(line.next) : ''} |`);
  const head = `| | ${vscode.l10n.t('what')} | ${vscode.l10n.t('found')} | ${vscode.l10n.t('next')} |`;
  return [`# ${title}`, '', head, '| --- | --- | --- | --- |', ...rows, ''].join('\n');
}
