import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import { contentHash } from '../../core/checks/suppression';
import { wantedSkills } from '../../core/review/coverageState';
import type { Checks } from '../checks/feature';
import type { CommandDocuments } from '../commands/environmentDocument';
import type { CommandRegistry } from '../commands/register';
import type { Drafts } from '../design/drafts';
import type { ReadOnlyDocuments } from '../documents';
import type { Interaction } from '../interaction';
import type { EditorLog } from '../log';
import type { NodePorts } from '../nodePorts';
import type { Play } from '../play/feature';
import type { Hints } from '../play/hints';
import type { PlayResults } from '../play/playResults';
import type { ErrorPresenter } from '../presentError';
import type { LinkedRun } from '../run/linkedRun';
import type { SandboxSource } from '../sandboxSource';
import { requireTrust } from '../trust';
import { Auditor } from './audit';
import { AuditPanels } from './auditPanel';
import { Likeness } from './likeness';
import { CoveragePanels } from './curricula/coveragePanel';
import { addFiles, registerCurriculumCommands } from './curricula/commands';
import { Sets } from './curricula/sets';
import { CurriculaTree } from './curricula/tree';
import { Notes } from './notes';
import { playedOutcome } from '../../core/review/played';
import { QueueChecks } from './queueChecks';
import { registerReviewCommands } from './reviewCommands';
import { ReviewTree } from './reviewTree';
import { ReviewSession } from './session';
import { NearContracts } from './wrap';

/** What the review needs of the rest of the extension. */
export interface ReviewFeatureParts {
  readonly ports: NodePorts;
  readonly sandbox: SandboxSource;
  readonly commands: CommandRegistry;
  readonly targets: CommandDocuments;
  readonly interaction: Interaction;
  readonly documents: ReadOnlyDocuments;
  readonly run: LinkedRun;
  readonly drafts: Drafts;
  readonly checks: Checks;
  readonly play: Play;
  readonly results: PlayResults;
  readonly memento: vscode.Memento;
  readonly extension: vscode.Uri;
  readonly hints: Hints;
  readonly errors: ErrorPresenter;
  readonly log: EditorLog;
}

/** Reviewing files, keeping what is said of them, and putting the good ones into sets. */
export class ReviewFeature implements Disposable {
  private readonly owned = new DisposableStore();
  readonly session: ReviewSession;
  readonly notes: Notes;
  readonly sets: Sets;
  readonly curricula: CurriculaTree;

  constructor(parts: ReviewFeatureParts) {
    const { ports, commands, interaction, documents, run, drafts, checks, results, log } = parts;
    const onDefect = (error: unknown): void => log.error('The review met a defect.', error);
    const likeness = new Likeness(ports, run);
    const auditor = new Auditor({ ports, sandbox: parts.sandbox });
    const session = (this.session = this.owned.add(new ReviewSession({ files: () => ports.files(), clock: ports.clock, likeness, memento: parts.memento, run, drafts, onDefect })));
    const tree = this.owned.add(new ReviewTree(session));
    const follow = (work: Promise<unknown>): void => void work.catch(onDefect);
    const queueChecks = new QueueChecks(session, tree, auditor);
    this.notes = this.owned.add(new Notes(session, commands, interaction, ports.clock, onDefect));
    const begun = (): void => {
      follow(queueChecks.begin());
      follow(savedPlays(parts.play.sessions, session));
    };
    this.owned.add(registerReviewCommands({ commands, session, tree, checks: queueChecks, begun, likeness, interaction, documents, run, drafts }));
    this.owned.add(new NearContracts(ports, commands, parts.targets, onDefect));
    const skills = async (): Promise<readonly string[]> => wantedSkills((await run.settings().catch(() => null))?.skills);
    const audits = this.owned.add(new AuditPanels({ auditor, files: () => ports.files(), skills }));
    this.owned.add(commands.register('auditFolder', (target) => this.audit(target, audits, interaction)));
    this.owned.add(commands.register('openAudited', (path: unknown) => openAudited(path)));
    const sets = (this.sets = this.owned.add(new Sets(() => ports.files())));
    const entryParts = { sets, drafts, hints: parts.hints, results, interaction, profileOf: (uri: vscode.Uri) => checks.store.get(uri)?.report.profile ?? null };
    const curricula = (this.curricula = this.owned.add(new CurriculaTree(sets, session, async (name, files, at) => void (await addFiles(entryParts)(name, files, at)), (error) => parts.errors.present(error))));
    const coverage = this.owned.add(new CoveragePanels({ sets, extension: parts.extension, skills, onDefect }));
    this.owned.add(registerCurriculumCommands({
      ...entryParts, commands, run, targets: parts.targets, tree: curricula, review: tree, play: parts.play,
      showCoverage: (name) => coverage.show(name), audit: (paths, title) => audits.show(paths, title),
    }));
    this.owned.add(checks.store.onDidChange((uri) => {
      const ran = checks.store.get(uri)?.ran;
      if (ran && session.isOpen) follow(contentHash(ran.text).then((hash) => session.setVerdict(hash, ran.report.verdict)));
    }));
    this.owned.add(results.onDidChange((uri) => follow(this.played(uri, results))));
    follow(session.resume().then(() => (session.isOpen ? begun() : session.loadReviews().catch(() => undefined))));
  }

  dispose(): void {
    this.owned.dispose();
  }

  private async audit(target: unknown, audits: AuditPanels, interaction: Interaction): Promise<number | undefined> {
    requireTrust();
    const folder = target instanceof vscode.Uri ? target : await interaction.chooseFolder(vscode.l10n.t('Audit This Folder'));
    return folder && audits.folder(folder);
  }

  private async played(uri: string, results: PlayResults): Promise<void> {
    const latest = results.latest(uri);
    const outcome = latest && playedOutcome(latest.report, latest.usesHint);
    if (outcome && this.session.isOpen) this.session.setPlayed(await contentHash(latest.text), outcome);
  }
}

/** Tells the queue what earlier sessions of plays said of the very contents under review, the newest of each. */
async function savedPlays(sessions: Play['sessions'], session: ReviewSession): Promise<void> {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (!root) return;
  const wanted = new Set(session.all().map((item) => item.contentHash));
  const { reportOfSession } = await import('../../core/play/sessionRecord');
  for (const { header } of [...(await sessions.list(root)).sessions].sort((a, b) => b.header.at - a.header.at)) {
    if (!wanted.has(header.hash) || !header.policy.usesHint) continue;
    const outcome = playedOutcome(reportOfSession(await sessions.read(root, header.id)), header.policy.usesHint);
    if (outcome === null) continue;
    wanted.delete(header.hash);
    session.setPlayed(header.hash, outcome);
  }
}

/** Opens a file of a report. Its path comes from a page, so that only a path is taken from it. */
async function openAudited(path: unknown): Promise<void> {
  if (typeof path === 'string') await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: true });
}
