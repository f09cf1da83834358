/** What the review contributes: its commands, views, menus and keys; `contributions.ts` joins them to the rest. */

/** Conditions that the review sets. */
export const reviewContextKeys = {
  /** Files are under review. */
  reviewing: 'envwright.reviewing',
  /** The queue shows a part of its files only. */
  reviewFiltered: 'envwright.reviewFiltered',
  /** The file in front holds a class in a near contract. */
  nearContract: 'envwright.nearContract',
} as const;

/** Controller of the notes on lines. */
export const NOTE_CONTROLLER = 'envwright.notes';
/** Types of the panels of coverage and of an audit. */
export const COVERAGE_VIEW_TYPE = 'envwright.coverage';
export const AUDIT_VIEW_TYPE = 'envwright.audit';

const { reviewing, reviewFiltered } = reviewContextKeys;
const inFolder = 'workspaceFolderCount > 0';

export const reviewCommands = {
  startReview: { title: 'Review Files…', icon: '$(checklist)', when: inFolder },
  checkReview: { title: 'Check Files Under Review', icon: '$(run-all)', when: reviewing },
  reviewOpen: { title: 'Open for Review', when: 'false' },
  reviewNext: { title: 'Review: Next File', icon: '$(arrow-down)', when: reviewing },
  reviewAccept: { title: 'Review: Accept', icon: '$(check)', when: reviewing },
  reviewReject: { title: 'Review: Reject…', icon: '$(x)', when: reviewing },
  reviewNeedsWork: { title: 'Review: Needs Work…', icon: '$(tools)', when: reviewing },
  reviewUndo: { title: 'Review: Take Back Last Decision', icon: '$(discard)', when: reviewing },
  reviewPlay: { title: 'Review: Play', icon: '$(play)', when: reviewing },
  reviewPush: { title: 'Review: Push…', icon: '$(repo-push)', when: reviewing },
  reviewCompare: { title: 'Review: Compare with Near Copies…', icon: '$(diff)', when: reviewing },
  reviewScroll: { title: 'Review: Scroll File Down', when: 'false' },
  reviewScrollBack: { title: 'Review: Scroll File Up', when: 'false' },
  filterReview: { title: 'Filter Files Under Review…', icon: '$(filter)', when: reviewing },
  clearReviewFilter: { title: 'Show All Files Under Review', icon: '$(filter-filled)', when: reviewFiltered },
  showReviewed: { title: 'Choose Which Files Are Shown…', icon: '$(eye)', when: reviewing },
  reviewSummary: { title: 'Show Review Summary', icon: '$(organization)', when: inFolder },
  endReview: { title: 'End Review', icon: '$(close-all)', when: reviewing },
  saveNote: { title: 'Add Note', when: 'false' },
  removeNote: { title: 'Remove Note', icon: '$(trash)', when: 'false' },
  auditFolder: { title: 'Audit Folder…', icon: '$(graph)' },
  openAudited: { title: 'Open Audited File', when: 'false' },
  wrapNearContract: { title: 'Wrap Class for the Run…', icon: '$(wand)', when: 'editorLangId == python' },
  newCurriculum: { title: 'New Curriculum…', icon: '$(add)', when: inFolder },
  importCurriculum: { title: 'Import Curriculum…', icon: '$(cloud-download)', when: inFolder },
  addToCurriculum: { title: 'Add to Curriculum…', icon: '$(list-ordered)', when: 'editorLangId == python' },
  removeFromCurriculum: { title: 'Remove from Curriculum', icon: '$(trash)', when: 'false' },
  moveUpInCurriculum: { title: 'Move Up', icon: '$(arrow-up)', when: 'false' },
  moveDownInCurriculum: { title: 'Move Down', icon: '$(arrow-down)', when: 'false' },
  describeEntry: { title: 'Edit Skill, Difficulty, Hint and Note…', icon: '$(edit)', when: 'false' },
  renameCurriculum: { title: 'Rename Curriculum…', when: 'false' },
  deleteCurriculum: { title: 'Delete Curriculum…', when: 'false' },
  checkCurriculum: { title: 'Check Curriculum', icon: '$(checklist)', when: 'false' },
  playCurriculum: { title: 'Play Curriculum', icon: '$(play)', when: 'false' },
  exportCurriculum: { title: 'Export Curriculum…', icon: '$(export)', when: 'false' },
  showCoverage: { title: 'Show Coverage', icon: '$(graph)', when: 'false' },
  troubleshoot: { title: 'Troubleshooting' },
} as const;

export const reviewViews = {
  review: {
    name: 'Review',
    icon: 'media/envwright.svg',
    initialSize: 30,
    welcome: [
      {
        when: `!${reviewing}`,
        text:
          'Decide on the games of a run, a folder or your drafts, one key each.\n[Review Files](command:envwright.startReview)\n' +
          'Or [audit a folder](command:envwright.auditFolder) as a whole.',
      },
      {
        when: `${reviewing} && ${reviewFiltered}`,
        text: 'No file passes the filter.\n[Show All Files Under Review](command:envwright.clearReviewFilter)\n[Change the Filter](command:envwright.filterReview)',
      },
      {
        when: `${reviewing} && !${reviewFiltered}`,
        text: 'No file is left to look at here.\n[Choose Which Files Are Shown](command:envwright.showReviewed)\n[Review Other Files](command:envwright.startReview)\n[Show Review Summary](command:envwright.reviewSummary)',
      },
    ],
  },
  curricula: {
    name: 'Curricula',
    icon: 'media/envwright.svg',
    visibility: 'collapsed',
    initialSize: 2,
    welcome: [
      {
        text:
          'Named, ordered sets of accepted environments.\n[New Curriculum](command:envwright.newCurriculum)\n' +
          'Or [import one](command:envwright.importCurriculum). A set is filled from the review, the explorer or another set by dragging, checked and played as a whole, and exported to a run.',
      },
    ],
  },
} as const;

const inReview = 'view == envwright.review';
const onItem = `${inReview} && viewItem == queueItem`;
const inCurricula = 'view == envwright.curricula';
const onSet = `${inCurricula} && viewItem == curriculum`;
const onEntry = `${inCurricula} && viewItem == curriculumEntry`;

export const reviewMenus = [
  { menu: 'explorer/context', command: 'envwright.startReview', when: 'explorerResourceIsFolder', group: '7_envwright@1' },
  { menu: 'explorer/context', command: 'envwright.auditFolder', when: 'explorerResourceIsFolder', group: '7_envwright@2' },
  { menu: 'explorer/context', command: 'envwright.addToCurriculum', when: 'resourceLangId == python', group: '7_envwright@3' },
  { menu: 'editor/context', command: 'envwright.wrapNearContract', when: 'envwright.nearContract', group: '7_envwright@4' },
  { menu: 'view/title', command: 'envwright.startReview', when: inReview, group: 'navigation@1' },
  { menu: 'view/title', command: 'envwright.filterReview', when: `${inReview} && ${reviewing} && !${reviewFiltered}`, group: 'navigation@2' },
  { menu: 'view/title', command: 'envwright.clearReviewFilter', when: `${inReview} && ${reviewFiltered}`, group: 'navigation@2' },
  { menu: 'view/title', command: 'envwright.showReviewed', when: `${inReview} && ${reviewing}`, group: 'navigation@3' },
  { menu: 'view/title', command: 'envwright.checkReview', when: `${inReview} && ${reviewing}`, group: '1_review@1' },
  { menu: 'view/title', command: 'envwright.reviewUndo', when: `${inReview} && ${reviewing}`, group: '1_review@2' },
  { menu: 'view/title', command: 'envwright.reviewSummary', when: inReview, group: '1_review@3' },
  { menu: 'view/title', command: 'envwright.auditFolder', when: inReview, group: '2_review@1' },
  { menu: 'view/title', command: 'envwright.endReview', when: `${inReview} && ${reviewing}`, group: '3_review@1' },
  { menu: 'view/item/context', command: 'envwright.reviewAccept', when: onItem, group: 'inline@1' },
  { menu: 'view/item/context', command: 'envwright.reviewReject', when: onItem, group: 'inline@2' },
  { menu: 'view/item/context', command: 'envwright.reviewPlay', when: onItem, group: 'inline@3' },
  { menu: 'view/item/context', command: 'envwright.reviewNeedsWork', when: onItem, group: '1_review@1' },
  { menu: 'view/item/context', command: 'envwright.reviewPush', when: onItem, group: '1_review@2' },
  { menu: 'view/item/context', command: 'envwright.reviewCompare', when: onItem, group: '1_review@3' },
  { menu: 'view/item/context', command: 'envwright.addToCurriculum', when: onItem, group: '2_review@1' },
  { menu: 'view/title', command: 'envwright.newCurriculum', when: inCurricula, group: 'navigation@1' },
  { menu: 'view/title', command: 'envwright.importCurriculum', when: inCurricula, group: 'navigation@2' },
  { menu: 'view/item/context', command: 'envwright.playCurriculum', when: onSet, group: 'inline@1' },
  { menu: 'view/item/context', command: 'envwright.showCoverage', when: onSet, group: 'inline@2' },
  { menu: 'view/item/context', command: 'envwright.exportCurriculum', when: onSet, group: 'inline@3' },
  { menu: 'view/item/context', command: 'envwright.checkCurriculum', when: onSet, group: '1_set@1' },
  { menu: 'view/item/context', command: 'envwright.renameCurriculum', when: onSet, group: '2_set@1' },
  { menu: 'view/item/context', command: 'envwright.deleteCurriculum', when: onSet, group: '2_set@2' },
  { menu: 'view/item/context', command: 'envwright.moveUpInCurriculum', when: onEntry, group: 'inline@1' },
  { menu: 'view/item/context', command: 'envwright.moveDownInCurriculum', when: onEntry, group: 'inline@2' },
  { menu: 'view/item/context', command: 'envwright.removeFromCurriculum', when: onEntry, group: 'inline@3' },
  { menu: 'view/item/context', command: 'envwright.describeEntry', when: onEntry, group: '1_entry@1' },
  { menu: 'comments/commentThread/context', command: 'envwright.saveNote', when: `commentController == ${NOTE_CONTROLLER} && !commentIsEmpty`, group: 'inline@1' },
  { menu: 'comments/comment/title', command: 'envwright.removeNote', when: `commentController == ${NOTE_CONTROLLER} && comment == own`, group: 'inline@1' },
] as const;

/** Keys work in the list alone, so that none is taken from typing. */
const inList = 'focusedView == envwright.review && !inputFocus';
const inSets = 'focusedView == envwright.curricula && !inputFocus';

export const reviewKeys = [
  { command: 'envwright.reviewNext', key: 'n', when: inList },
  { command: 'envwright.reviewAccept', key: 'a', when: inList },
  { command: 'envwright.reviewReject', key: 'r', when: inList },
  { command: 'envwright.reviewNeedsWork', key: 'w', when: inList },
  { command: 'envwright.reviewPlay', key: 'p', when: inList },
  { command: 'envwright.reviewPush', key: 'u', when: inList },
  { command: 'envwright.reviewCompare', key: 'd', when: inList },
  { command: 'envwright.addToCurriculum', key: 'c', when: inList },
  { command: 'envwright.reviewUndo', key: 'z', when: inList },
  { command: 'envwright.filterReview', key: 'f', when: inList },
  { command: 'envwright.reviewScroll', key: 'space', when: inList },
  { command: 'envwright.reviewScrollBack', key: 'shift+space', when: inList },
  { command: 'envwright.moveUpInCurriculum', key: 'alt+up', when: inSets },
  { command: 'envwright.moveDownInCurriculum', key: 'alt+down', when: inSets },
  { command: 'envwright.removeFromCurriculum', key: 'delete', mac: 'cmd+backspace', when: inSets },
] as const;
