import type { Profile } from '../../shared/findings';
import type { PythonFile } from './pythonFile';

/** What only files with several user messages have. */
const MESSAGE_ATTRIBUTES = /\b_(user_messages|message_criteria)\b/;

/** True when the class of the file tells several user messages of the agent's task. */
function hasUserMessages(file: PythonFile): boolean {
  return file.toolUse && (file.lineage?.chain ?? []).some(({ node }) => MESSAGE_ATTRIBUTES.test(node.text));
}

/** True when `step` carries what the agent did over to the next turn: it stores something else than a counter or a mark. */
function stepKeepsState(file: PythonFile): boolean {
  const step = file.method('step');
  for (const node of step?.node.descendants('assignment', 'augmented_assignment') ?? []) {
    const left = node.child('left');
    if (left?.type === 'pattern_list' && left.namedChildren.some(({ type }) => type === 'attribute' || type === 'subscript')) return true;
    const target = left?.type === 'subscript' ? left.child('value') : left;
    if (target?.type !== 'attribute' || target.child('object')?.text !== step?.self) continue;
    if (left?.type === 'subscript') return true;
    const right = node.child('right');
    if (node.type === 'augmented_assignment' ? right?.text !== '1' : !/^(True|False|None|\d+|bool\(.*\)|self\.\w+ *\+ *1)$/s.test(right?.text ?? '')) return true;
  }
  return false;
}

/**
 * The profile as the text tells it; null when no class of the file is picked. Tool use is certain. Single-turn is a
 * guess that an episode decides: `step` keeps no state but counters and the file has an answer. Corpus-grounded cannot
 * be told from code.
 */
export function guessProfile(file: PythonFile): Profile | null {
  if (file.env === null) return null;
  if (file.toolUse) return hasUserMessages(file) ? 'u' : 't';
  return file.method('solution') !== null && !stepKeepsState(file) ? 's' : 'm';
}
