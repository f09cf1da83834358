import * as vscode from 'vscode';
import type { CorpusDocument } from '../../core/design/corpus';
import type { Corpus, CorpusHit } from '../../core/design/corpusSummary';
import type { GroundingDocument } from '../../core/design/grounding';
import { EnvwrightError } from '../../core/errors';
import type { Disposable } from '../../core/lifecycle';
import { message } from '../../shared/message';
import type { ReadOnlyDocuments } from '../documents';
import type { Choice, Interaction } from '../interaction';
import { localize } from '../localize';
import type { NodePorts } from '../nodePorts';
import { markdownLine, plainLine } from '../../core/plainText';

/** Rows of a search, and of the list before anything is typed. */
const MOST_HITS = 200;
const FIRST = 50;
const EXCERPT = 160;

/** The corpus in use, kept open until another one is: its index is made once. */
export class Corpora implements Disposable {
  private opened: Corpus | undefined;

  constructor(private readonly ports: Pick<NodePorts, 'corpus'>, private readonly documents: ReadOnlyDocuments) {}

  async open(path: string): Promise<Corpus> {
    if (this.opened?.path !== path) {
      this.opened?.dispose();
      this.opened = await this.ports.corpus(path);
    }
    try {
      await this.opened.whenFirst();
    } catch (error) {
      this.close();
      throw error;
    }
    if (this.opened.summary.documents > 0) return this.opened;
    throw new EnvwrightError('design/empty-corpus', message('The corpus {path} holds no document.', { path }), message('Each line is a JSON object with orig_doc or text. Choose another file.'));
  }

  /** Lets the person search the corpus. Undefined when dismissed. */
  async choose(corpus: Corpus, interaction: Interaction): Promise<GroundingDocument | undefined> {
    const number = await interaction.search<number>({
      title: vscode.l10n.t('Document of {0}', vscode.workspace.asRelativePath(corpus.path)),
      placeholder: vscode.l10n.t('{0}. Type to search their texts.', summaryText(corpus)),
      find: (query, show, signal) => (query === '' ? first(corpus, show, signal) : corpus.search(query, MOST_HITS, (hits) => show(hits.map(hitChoice)), signal)),
      preview: (value) => this.preview(corpus, value),
    });
    return number === undefined ? undefined : this.document(corpus, number);
  }

  /** A document at random; the same seed gives the same one of the same corpus. Waits until all of it is known. */
  async draw(corpus: Corpus, seed: number): Promise<GroundingDocument> {
    const { documents } = await corpus.whenDone();
    const { seededRandom } = await import('../../core/play/random');
    return this.document(corpus, Math.floor(seededRandom(`document ${seed}`)() * documents));
  }

  async document(corpus: Corpus, number: number): Promise<GroundingDocument> {
    const { line, text } = await this.read(corpus, number);
    return { id: `${vscode.workspace.asRelativePath(corpus.path)}:${line}`, text };
  }

  /** Shows which lines give no document, and why. */
  async showProblems(corpus: Corpus): Promise<void> {
    const { problems, documents, blank, done } = corpus.summary;
    const head = [`# ${markdownLine(vscode.workspace.asRelativePath(corpus.path), 300)}`, '', vscode.l10n.t('{0} documents, {1} blank lines.', count(documents), count(blank)), ...(done ? [] : ['', vscode.l10n.t('Still being read.')]), ''];
    const rows = problems.map(({ why, crashes, count: lines, lines: named }) =>
      `| ${count(lines)} | ${crashes ? vscode.l10n.t('stops the run') : vscode.l10n.t('skipped')} | ${markdownLine(localize(why), 300)} | ${named.join(', ')}${lines > named.length ? ' …' : ''} |`);
    const table = [`| ${vscode.l10n.t('lines')} | ${vscode.l10n.t('in the run')} | ${vscode.l10n.t('why')} | ${vscode.l10n.t('the first')} |`, '| ---: | --- | --- | --- |', ...rows];
    await this.documents.showRendered('Corpus.md', [...head, ...(rows.length > 0 ? table : [vscode.l10n.t('Every line gives a document or is blank.')]), ''].join('\n'));
  }

  close(): void {
    this.opened?.dispose();
    this.opened = undefined;
  }

  dispose(): void {
    this.close();
  }

  private async preview(corpus: Corpus, number: number): Promise<void> {
    const { line, text } = await this.read(corpus, number);
    await this.documents.show(`document-${line}.txt`, text, 'plaintext');
  }

  private async read(corpus: Corpus, number: number): Promise<CorpusDocument> {
    const document = await corpus.document(number).catch((error: unknown) => {
      // What was found of a file that has changed is worth nothing: the next use goes through it anew.
      if (error instanceof EnvwrightError && error.code === 'design/corpus-changed' && this.opened === corpus) this.close();
      throw error;
    });
    if (document) return document;
    throw new EnvwrightError('design/no-document', message('The corpus has no document {number}.', { number: number + 1 }), message('Choose another one.'));
  }
}

/** `1,000,000 documents, 214 lines skipped`, with how far the file was read while it still is. */
export function summaryText({ summary: { documents, problems, done, bytes, size } }: Corpus): string {
  const skipped = problems.reduce((sum, problem) => sum + problem.count, 0);
  return [
    vscode.l10n.t('{0} documents', count(documents)),
    ...(skipped > 0 ? [vscode.l10n.t('{0} lines skipped', count(skipped))] : []),
    ...(done ? [] : [vscode.l10n.t('{0} % read', Math.floor((100 * bytes) / Math.max(1, size)))]),
  ].join(', ');
}

const count = (value: number): string => value.toLocaleString(vscode.env.language);

async function first(corpus: Corpus, show: (choices: readonly Choice<number>[]) => void, signal: AbortSignal): Promise<void> {
  for (let number = 0; number < Math.min(FIRST, corpus.summary.documents); number += 1) {
    const document = await corpus.document(number);
    if (signal.aborted || !document) return;
    show([{ label: vscode.l10n.t('Line {0}', document.line), description: vscode.l10n.t('{0} words', document.words), detail: plainLine(document.text, EXCERPT), value: number }]);
  }
}

function hitChoice({ number, line, excerpt }: CorpusHit): Choice<number> {
  return { label: vscode.l10n.t('Line {0}', line), detail: plainLine(excerpt, EXCERPT), value: number };
}
