/**
 * What Envwright contributes to the editor, declared once: the manifest is generated from this file, and the code takes
 * its ids from here, so that neither can name something the other does not know.
 */

import { designCommands, designItemKinds, designMenus } from './contributionsDesign';
import { reviewCommands, reviewContextKeys, reviewKeys, reviewMenus, reviewViews } from './contributionsReview';

export { PROMPT_VIEW_TYPE } from './contributionsDesign';

/** A command. `when` is its condition in the palette. */
export interface CommandDeclaration {
  readonly title: string;
  readonly icon?: string;
  readonly when?: string;
}

/** A place in a menu of the editor. */
export interface MenuPlace {
  readonly menu: string;
  readonly command: CommandId;
  readonly when?: string;
  readonly group: string;
}

/** A view of the side bar and what it says while it is empty. */
export interface ViewDeclaration {
  readonly name: string;
  readonly icon: string;
  readonly visibility?: 'visible' | 'collapsed';
  /** Shown only where this holds: a view that another one leads to. */
  readonly when?: string;
  /** Share of the height at first, among those of all views. */
  readonly initialSize?: number;
  readonly welcome: readonly { readonly when?: string; readonly text: string }[];
}

/** Prefix of every id. */
export const NAMESPACE = 'envwright';
/** Category of every command in the palette. */
export const CATEGORY = 'Envwright';

/** Conditions that the extension sets for menus and views. */
export const contextKeys = {
  /** The active editor holds an environment file. */
  isEnvironment: 'envwright.isEnvironment',
  /** A run folder is linked and could be read. */
  runLinked: 'envwright.runLinked',
  /** The run's view shows a part of the games only. */
  runFiltered: 'envwright.runFiltered',
  /** At least one design was drafted in this workspace. */
  hasDrafts: 'envwright.hasDrafts',
  /** What the walkthrough ticks off, once it was really done here: an environment was found, one was run by the checks, decided on, played, pushed. */
  hasEnvironments: 'envwright.hasEnvironments',
  hasChecked: 'envwright.hasChecked',
  hasReviewed: 'envwright.hasReviewed',
  hasPlayed: 'envwright.hasPlayed',
  hasPushed: 'envwright.hasPushed',
  ...reviewContextKeys,
} as const;
export type ContextKey = keyof typeof contextKeys;

const inEnvironment = contextKeys.isEnvironment;
/** Type of the player's panels. */
export const PLAYER_VIEW_TYPE = 'envwright.player';
/** Type of the memory view and of the push preview. */
export const MEMORY_VIEW_TYPE = 'envwright.memoryView';
export const PUSH_VIEW_TYPE = 'envwright.pushView';
const inPlayer = `activeWebviewPanelId == '${PLAYER_VIEW_TYPE}'`;
/** A file, or its player, is in front. */
const atEnvironment = `${inEnvironment} || ${inPlayer}`;
const linked = contextKeys.runLinked;
const filtered = contextKeys.runFiltered;

/** Every command, by the part of its id after the namespace. */
export const commands = {
  ...designCommands,
  checkAll: { title: 'Check All Environments', icon: '$(checklist)', when: 'workspaceFolderCount > 0 && isWorkspaceTrusted' },
  checkFile: { title: 'Check File', icon: '$(checklist)', when: `editorLangId == python || ${inPlayer}` },
  chooseProfile: { title: 'Choose Profile…', icon: '$(symbol-enum)', when: inEnvironment },
  silenceCheck: { title: 'Silence Check', when: 'false' },
  listSilenced: { title: 'List and Remove Silenced Checks…', icon: '$(bell-slash)', when: 'workspaceFolderCount > 0 && isWorkspaceTrusted' },
  explainCheck: { title: 'Explain Check', when: 'false' },
  replayCounterexample: { title: 'Replay Counterexample', icon: '$(debug-restart)', when: 'false' },
  keepReplay: { title: 'Keep Counterexample', icon: '$(pin)', when: 'false' },
  removeReplay: { title: 'Remove Kept Counterexample', icon: '$(trash)', when: 'false' },
  play: { title: 'Play Environment', icon: '$(play)', when: atEnvironment },
  openSession: { title: 'Open Saved Session…', icon: '$(history)', when: atEnvironment },
  replaySession: { title: 'Replay Saved Actions', icon: '$(debug-rerun)', when: atEnvironment },
  compareSessions: { title: 'Compare with Earlier Session…', icon: '$(compare-changes)', when: atEnvironment },
  exportSession: { title: 'Export Session…', icon: '$(export)', when: atEnvironment },
  chooseScript: { title: 'Choose Actions to Play…', icon: '$(list-ordered)', when: atEnvironment },
  deleteSession: { title: 'Delete Session', icon: '$(trash)', when: 'false' },
  clearLines: { title: 'Clear Marked Lines', icon: '$(clear-all)', when: atEnvironment },
  push: { title: 'Accept and Push to Run…', icon: '$(repo-push)', when: atEnvironment },
  linkRun: { title: 'Link Run Folder…', icon: '$(link)' },
  filterRun: { title: 'Filter Games…', icon: '$(filter)', when: linked },
  clearRunFilter: { title: 'Show All Games', icon: '$(filter-filled)', when: `${linked} && ${filtered}` },
  sortRun: { title: 'Sort Games…', icon: '$(sort-precedence)', when: linked },
  checkGames: { title: 'Check All Games', icon: '$(checklist)', when: linked },
  compareGames: { title: 'Compare Games…', icon: '$(diff)', when: 'false' },
  readLaunchFlags: { title: 'Read Launch Flags…', icon: '$(terminal)', when: linked },
  addLinkModule: { title: 'Add Link Module to Run…', icon: '$(plug)' },
  showPushes: { title: 'Show Push Ledger', icon: '$(list-unordered)', when: linked },
  unlinkRun: { title: 'Unlink Run Folder', when: linked },
  refreshRun: { title: 'Refresh Run', icon: '$(refresh)', when: linked },
  openMemory: { title: 'Open Memory View', icon: '$(graph-scatter)', when: linked },
  openMemoryFile: { title: 'Open Memory File', icon: '$(go-to-file)', when: linked },
  showRecord: { title: 'Show What the Designer Reads', when: 'false' },
  removeRecord: { title: 'Remove from Memory…', icon: '$(trash)', when: 'false' },
  refreshEnvironments: { title: 'Find Environments Again', icon: '$(refresh)' },
  ...reviewCommands,
  setApiKey: { title: 'Set API Key…', icon: '$(key)' },
  forgetApiKey: { title: 'Forget API Key…' },
  fillProfiles: { title: 'Fill Model Profiles from Run…', icon: '$(cloud-download)', when: linked },
  testConnection: { title: 'Test Model Connection', icon: '$(plug)' },
  doctor: { title: 'Doctor: What Works and What Does Not' },
  installWheels: { title: 'Install math-verify for the Embedded Python…', icon: '$(cloud-download)' },
  openSampleWorkspace: { title: 'Open Sample Workspace' },
  manageTrust: { title: 'Manage Workspace Trust', when: '!isWorkspaceTrusted' },
  openSettings: { title: 'Open Settings' },
  showLog: { title: 'Show Log' },
} as const satisfies Record<string, CommandDeclaration>;
export type CommandName = keyof typeof commands;
export type CommandId = `envwright.${CommandName}`;

/** Full id of a command. */
export function commandId(name: CommandName): CommandId {
  return `${NAMESPACE}.${name}`;
}

/** The one view container. */
export const viewContainer = { id: 'envwright', title: 'Envwright', icon: 'media/envwright.svg' } as const;

/** Every view, by the part of its id after the namespace. */
export const views = {
  environments: {
    name: 'Environments',
    icon: 'media/envwright.svg',
    initialSize: 20,
    welcome: [
      {
        text:
          'No environment files in this workspace. An environment is a Python file with a class whose name ends in Env.\n' +
          '[Design Environment](command:envwright.design)\n[Open Sample Workspace](command:envwright.openSampleWorkspace)',
      },
    ],
  },
  drafts: {
    name: 'Drafts',
    icon: 'media/envwright.svg',
    visibility: 'collapsed',
    initialSize: 2,
    welcome: [
      {
        when: 'isWorkspaceTrusted',
        text: 'Nothing was designed here yet.\n[Design Environment](command:envwright.design)\nOr [design a batch](command:envwright.designBatch), or look at [the prompt](command:envwright.showPrompt) first. Drafts are checked, sent back while they are rejected, and kept with their first version.',
      },
      { when: '!isWorkspaceTrusted', text: 'This folder is not trusted, so that no designer is asked.\n[Manage Workspace Trust](command:envwright.manageTrust)' },
    ],
  },
  ...reviewViews,
  run: {
    name: 'Run',
    icon: 'media/envwright.svg',
    initialSize: 40,
    welcome: [
      {
        when: `!${linked} && isWorkspaceTrusted`,
        text: 'No training run is linked. Link the output folder of a run to browse its games and to push into its memory.\n[Link Run Folder](command:envwright.linkRun)',
      },
      {
        when: `!${linked} && !isWorkspaceTrusted`,
        text: 'This folder is not trusted. No run is linked, no environment is run, and only the static checks are made.\n[Manage Workspace Trust](command:envwright.manageTrust)',
      },
    ],
  },
  memory: {
    name: 'Memory',
    icon: 'media/envwright.svg',
    // Linking and pushing open it; its header is enough until then, and without a run the view of the run says what to do.
    visibility: 'collapsed',
    when: linked,
    initialSize: 2,
    welcome: [
      { when: linked, text: 'This memory has no records yet. The run writes its first records at its first regeneration.\n[Refresh](command:envwright.refreshRun)' },
    ],
  },
} as const satisfies Record<string, ViewDeclaration>;
export type ViewName = keyof typeof views;

/** Full id of a view. */
export function viewId(name: ViewName): `envwright.${ViewName}` {
  return `${NAMESPACE}.${name}`;
}

/** What a tree item is, for `viewItem` conditions. */
export const itemKinds = { environment: 'environment', session: 'session', ...designItemKinds, record: 'record', game: 'game', games: 'games', reject: 'reject', queueItem: 'queueItem', curriculum: 'curriculum', curriculumEntry: 'curriculumEntry' } as const;

const onItem = (view: ViewName, kind: keyof typeof itemKinds) => `view == ${viewId(view)} && viewItem == ${itemKinds[kind]}`;
const pythonFile = 'resourceLangId == python';

/** Id of the test controller. Ids of its items hold `#check:` or `#replay:`, which menus look for. */
export const TEST_CONTROLLER = 'envwright.checks';
const inTests = `controllerId == ${TEST_CONTROLLER}`;
/** Context value of a test message whose counterexample can be played again. */
export const REPLAYABLE = 'envwright.replayable';

/** Where commands show besides the palette; at most three inline actions an item. */
export const menus: readonly MenuPlace[] = [
  ...designMenus,
  { menu: 'editor/title', command: 'envwright.play', when: inEnvironment, group: 'navigation@1' },
  { menu: 'editor/title', command: 'envwright.checkFile', when: inEnvironment, group: '1_envwright@1' },
  { menu: 'editor/title', command: 'envwright.push', when: inEnvironment, group: '1_envwright@5' },
  { menu: 'editor/context', command: 'envwright.checkFile', when: inEnvironment, group: '7_envwright@1' },
  { menu: 'editor/context', command: 'envwright.play', when: inEnvironment, group: '7_envwright@2' },
  { menu: 'explorer/context', command: 'envwright.checkFile', when: pythonFile, group: '7_envwright@1' },
  { menu: 'explorer/context', command: 'envwright.play', when: pythonFile, group: '7_envwright@2' },
  { menu: 'editor/context', command: 'envwright.chooseProfile', when: inEnvironment, group: '7_envwright@3' },
  { menu: 'testing/message/context', command: 'envwright.replayCounterexample', when: `testMessage == ${REPLAYABLE}`, group: 'inline@1' },
  { menu: 'testing/message/context', command: 'envwright.keepReplay', when: `testMessage == ${REPLAYABLE}`, group: 'inline@2' },
  { menu: 'testing/item/context', command: 'envwright.replayCounterexample', when: `${inTests} && testId =~ /#(check|replay):/`, group: 'inline@1' },
  { menu: 'testing/item/context', command: 'envwright.keepReplay', when: `${inTests} && testId =~ /#check:/`, group: '1_envwright@1' },
  { menu: 'testing/item/context', command: 'envwright.removeReplay', when: `${inTests} && testId =~ /#replay:/`, group: '1_envwright@2' },
  { menu: 'view/title', command: 'envwright.design', when: `view == ${viewId('environments')}`, group: 'navigation@1' },
  { menu: 'view/title', command: 'envwright.checkAll', when: `view == ${viewId('environments')}`, group: 'navigation@2' },
  { menu: 'view/title', command: 'envwright.refreshEnvironments', when: `view == ${viewId('environments')}`, group: 'navigation@3' },
  { menu: 'view/title', command: 'envwright.linkRun', when: `view == ${viewId('run')} && !${linked}`, group: 'navigation@1' },
  { menu: 'view/title', command: 'envwright.filterRun', when: `view == ${viewId('run')} && ${linked} && !${filtered}`, group: 'navigation@1' },
  { menu: 'view/title', command: 'envwright.clearRunFilter', when: `view == ${viewId('run')} && ${linked} && ${filtered}`, group: 'navigation@1' },
  { menu: 'view/title', command: 'envwright.sortRun', when: `view == ${viewId('run')} && ${linked}`, group: 'navigation@2' },
  { menu: 'view/title', command: 'envwright.refreshRun', when: `view == ${viewId('run')} && ${linked}`, group: 'navigation@3' },
  { menu: 'view/title', command: 'envwright.checkGames', when: `view == ${viewId('run')} && ${linked}`, group: '1_run@1' },
  { menu: 'view/title', command: 'envwright.readLaunchFlags', when: `view == ${viewId('run')} && ${linked}`, group: '2_run@1' },
  { menu: 'view/title', command: 'envwright.addLinkModule', when: `view == ${viewId('run')} && ${linked}`, group: '2_run@2' },
  { menu: 'view/title', command: 'envwright.showPushes', when: `view == ${viewId('run')} && ${linked}`, group: '2_run@3' },
  { menu: 'view/title', command: 'envwright.linkRun', when: `view == ${viewId('run')} && ${linked}`, group: '3_run@1' },
  { menu: 'view/title', command: 'envwright.unlinkRun', when: `view == ${viewId('run')} && ${linked}`, group: '3_run@2' },
  { menu: 'view/title', command: 'envwright.openMemory', when: `view == ${viewId('memory')} && ${linked}`, group: 'navigation@1' },
  { menu: 'view/title', command: 'envwright.openMemoryFile', when: `view == ${viewId('memory')} && ${linked}`, group: 'navigation@2' },
  { menu: 'view/title', command: 'envwright.refreshRun', when: `view == ${viewId('memory')} && ${linked}`, group: 'navigation@3' },
  { menu: 'view/item/context', command: 'envwright.checkFile', when: onItem('environments', 'environment'), group: 'inline@1' },
  { menu: 'view/item/context', command: 'envwright.play', when: onItem('environments', 'environment'), group: 'inline@2' },
  { menu: 'view/item/context', command: 'envwright.push', when: onItem('environments', 'environment'), group: 'inline@3' },
  { menu: 'view/item/context', command: 'envwright.checkFile', when: onItem('run', 'game'), group: 'inline@1' },
  { menu: 'view/item/context', command: 'envwright.openSession', when: onItem('environments', 'session'), group: '1_session@1' },
  { menu: 'view/item/context', command: 'envwright.deleteSession', when: onItem('environments', 'session'), group: 'inline@1' },
  { menu: 'view/item/context', command: 'envwright.play', when: onItem('run', 'game'), group: 'inline@2' },
  { menu: 'view/item/context', command: 'envwright.compareGames', when: onItem('run', 'game'), group: '1_game@1' },
  { menu: 'view/item/context', command: 'envwright.checkGames', when: onItem('run', 'games'), group: 'inline@1' },
  { menu: 'view/item/context', command: 'envwright.checkFile', when: onItem('run', 'reject'), group: 'inline@1' },
  { menu: 'view/item/context', command: 'envwright.compareGames', when: onItem('run', 'reject'), group: '1_game@1' },
  { menu: 'view/item/context', command: 'envwright.removeRecord', when: onItem('memory', 'record'), group: 'inline@1' },
  { menu: 'view/item/context', command: 'envwright.showRecord', when: onItem('memory', 'record'), group: '1_record@1' },
  ...reviewMenus,
];

/** A key of a command, where it holds. */
export interface KeyDeclaration {
  readonly command: CommandId;
  readonly key: string;
  readonly mac?: string;
  readonly when: string;
}

/** Every key: none holds outside of a view of Envwright. */
export const keys: readonly KeyDeclaration[] = [...reviewKeys];

/** The steps of the walkthrough: id, title, text, and the condition that ticks it off. The text beside a step is `media/walkthrough/<id>.md`. */
export const walkthrough = {
  id: 'start',
  title: 'Get Started with Envwright',
  description: 'Check, review, play, push and design, on samples: no key, no server.',
  steps: [
    {
      id: 'sample',
      title: 'Open the sample workspace',
      description: 'Eight environments, three of them faulty, a small corpus, and a run that is linked. Trust the folder when you are asked.\n[Open Sample Workspace](command:envwright.openSampleWorkspace)\nDoes something not work? [Troubleshooting](command:envwright.troubleshoot) says what, and what to do.',
      done: contextKeys.hasEnvironments,
    },
    {
      id: 'check',
      title: 'See what is wrong with a file',
      description: 'Take one that is called faulty. It is checked while you type, and run in a sandbox when it is opened or saved. The light bulb has fixes.\n[Check an Environment](command:envwright.checkFile)',
      done: contextKeys.hasChecked,
    },
    {
      id: 'review',
      title: 'Review what a designer made',
      description: 'Take the games of the linked run and decide on them one by one, with one key each.\n[Review Files](command:envwright.startReview)',
      done: contextKeys.hasReviewed,
    },
    {
      id: 'play',
      title: 'Play it with the hint and without',
      description: 'Write a hint, then press Run in the player: the same seeds side by side. The gap says what the environment can teach now.\n[Write Hint](command:envwright.writeHint)\n[Play Environment](command:envwright.play)',
      done: contextKeys.hasPlayed,
    },
    {
      id: 'push',
      title: 'Push it to a run',
      description: 'See the record and what the run will do with it before anything is written. The run of the sample is linked; yours is linked by its output folder.\n[Push Environment](command:envwright.push)\n[Link Run Folder](command:envwright.linkRun)',
      done: contextKeys.hasPushed,
    },
    {
      id: 'design',
      title: 'Design a new one',
      description: 'Pick skill, kind, difficulty and a document, and watch the code stream into an editor, be checked and be repaired. Offline samples answer until you choose a model.\n[Design Environment](command:envwright.design)\n[Choose Model](command:envwright.chooseModel)',
      done: contextKeys.hasDrafts,
    },
  ],
} as const;
