/** What designing contributes: its commands, menus and kinds of rows; `contributions.ts` joins them to the rest. */

/** Type of the prompt's panel. */
export const PROMPT_VIEW_TYPE = 'envwright.promptView';

const drafts = 'view == envwright.drafts';
const row = (kind: string) => `${drafts} && viewItem == ${kind}`;
const inEnvironment = 'envwright.isEnvironment';
const atEnvironment = `${inEnvironment} || activeWebviewPanelId == 'envwright.player'`;

export const designCommands = {
  design: { title: 'Design Environment…', icon: '$(sparkle)' },
  showPrompt: { title: 'Show Design Prompt', icon: '$(preview)' },
  designBatch: { title: 'Design Batch…', icon: '$(layers)' },
  cancelBatch: { title: 'Cancel Batch', icon: '$(debug-stop)', when: 'false' },
  resumeBatch: { title: 'Go On with Batch', icon: '$(debug-continue)', when: 'false' },
  discardBatch: { title: 'Discard Batch', icon: '$(close)', when: 'false' },
  showDraft: { title: 'Show Draft', when: 'false' },
  compareDrafts: { title: 'Compare with First Draft', icon: '$(diff)', when: 'false' },
  compareRepair: { title: 'Compare with Draft Before', icon: '$(diff)', when: 'false' },
  reviseDraft: { title: 'Design Next Draft with Feedback…', icon: '$(comment-discussion)', when: 'false' },
  remakeDraft: { title: 'Make Draft Again', icon: '$(refresh)', when: 'false' },
  discardDraft: { title: 'Discard Draft', icon: '$(close)', when: 'false' },
  sendToDesigner: { title: 'Send Finding to Designer…', when: 'false' },
  writeHint: { title: 'Write Hint', icon: '$(lightbulb)', when: atEnvironment },
  compareHints: { title: 'Compare Hints…', icon: '$(beaker)', when: atEnvironment },
  screenFile: { title: 'Screen with Model', icon: '$(question)', when: atEnvironment },
  chooseModel: { title: 'Choose Model…', icon: '$(server-environment)' },
  showCosts: { title: 'Show What Models Have Used', icon: '$(graph)' },
} as const;

/** Rows of the view of drafts, for `viewItem` conditions. */
export const designItemKinds = {
  draft: 'draft', draftRepaired: 'draftRepaired', attempt: 'attempt', repair: 'repair', batch: 'batch', batchOpen: 'batchOpen', batchRunning: 'batchRunning',
} as const;

const ofDraft = (kind: 'draft' | 'draftRepaired') => [
  { menu: 'view/item/context', command: 'envwright.reviseDraft', when: row(kind), group: 'inline@2' },
  { menu: 'view/item/context', command: 'envwright.discardDraft', when: row(kind), group: 'inline@3' },
  { menu: 'view/item/context', command: 'envwright.showDraft', when: row(kind), group: '1_draft@1' },
  { menu: 'view/item/context', command: 'envwright.remakeDraft', when: row(kind), group: '1_draft@2' },
] as const;

export const designMenus = [
  { menu: 'editor/title', command: 'envwright.writeHint', when: inEnvironment, group: '1_envwright@2' },
  { menu: 'editor/title', command: 'envwright.compareHints', when: inEnvironment, group: '1_envwright@3' },
  { menu: 'editor/title', command: 'envwright.screenFile', when: inEnvironment, group: '1_envwright@4' },
  { menu: 'view/title', command: 'envwright.design', when: drafts, group: 'navigation@1' },
  { menu: 'view/title', command: 'envwright.designBatch', when: drafts, group: 'navigation@2' },
  { menu: 'view/title', command: 'envwright.showPrompt', when: drafts, group: 'navigation@3' },
  { menu: 'view/title', command: 'envwright.showCosts', when: drafts, group: '1_drafts@1' },
  { menu: 'view/item/context', command: 'envwright.compareDrafts', when: row('draftRepaired'), group: 'inline@1' },
  { menu: 'view/item/context', command: 'envwright.compareRepair', when: row('repair'), group: 'inline@1' },
  ...ofDraft('draft'),
  ...ofDraft('draftRepaired'),
  { menu: 'view/item/context', command: 'envwright.cancelBatch', when: row('batchRunning'), group: 'inline@1' },
  { menu: 'view/item/context', command: 'envwright.resumeBatch', when: row('batchOpen'), group: 'inline@1' },
  { menu: 'view/item/context', command: 'envwright.discardBatch', when: row('batch'), group: 'inline@2' },
  { menu: 'view/item/context', command: 'envwright.discardBatch', when: row('batchOpen'), group: 'inline@2' },
] as const;
