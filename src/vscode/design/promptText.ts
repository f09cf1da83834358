import * as vscode from 'vscode';
import type { DesignPrompt, PartSource } from '../../core/design/prompt';

/** The whole prompt as a document: every part with its role, where it comes from and what it costs, and its text to the letter. */
export function promptText({ parts, tokens }: DesignPrompt): string {
  const head = [`# ${vscode.l10n.t('Design prompt')}`, '', vscode.l10n.t('{0} tokens, estimated. This is what the designer is told, in this order.', tokens), ''];
  const body = parts.flatMap(({ role, source, title, template, origin, text, tokens: own, flags }) => [
    `## ${role} · ${sourceName(source)} · ${title}`,
    '',
    [
      vscode.l10n.t('{0} tokens', own),
      ...(template ? [vscode.l10n.t('template {0}, version {1}', template.name, template.version)] : []),
      ...(template?.overridden ? [vscode.l10n.t('from the workspace')] : []),
      ...(origin === null ? [] : [origin]),
      ...flags.map((flag) => vscode.l10n.t('⚠ addresses the model: “{0}”', flag.text)),
    ].map((line) => `- ${line.replace(/[\r\n]+/g, ' ')}`).join('\n'),
    '',
    fenced(text),
    '',
  ]);
  return [...head, ...body].join('\n');
}

function sourceName(source: PartSource): string {
  switch (source) {
    case 'task': return vscode.l10n.t('task');
    case 'document': return vscode.l10n.t('document');
    case 'memory': return vscode.l10n.t('memory');
    case 'feedback': return vscode.l10n.t('feedback');
  }
}

/** A block that the text cannot end. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
