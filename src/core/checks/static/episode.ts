import { message } from '../../../shared/message';
import type { PythonFile } from '../../environment/pythonFile';
import type { SyntaxNode } from '../../environment/syntaxTree';
import type { FindingDraft } from '../check';
import { allDraws } from './random';
import { assignmentsOf, calleeOf, isOwn, reachedFrom, returnsOf, tupleParts } from './reach';

const LIMIT = /\bmax_?(turns|steps|moves|attempts|guesses)\b/i;

/** What a condition says of the action when it is true: that there is no box in it. */
function saysNoBox(condition: SyntaxNode, definition: SyntaxNode, action: string): boolean {
  let subject: SyntaxNode | null = null;
  if (condition.type === 'not_operator') subject = condition.child('argument');
  if (condition.type === 'comparison_operator') {
    const [left, right] = condition.namedChildren;
    const operator = condition.child('operators')?.type;
    if (operator === 'not in') return /boxed/.test(left?.text ?? '') && right?.text === action;
    if ((operator === 'is' || operator === '==') && right?.type === 'none') subject = left ?? null;
  }
  while (subject?.type === 'parenthesized_expression') subject = subject.namedChildren[0] ?? null;
  if (subject?.type === 'call') return readsBox(subject, action);
  if (subject?.type !== 'identifier') return false;
  const assignments = assignmentsOf(definition, subject.text);
  return assignments.length === 1 && assignments[0]!.value?.type === 'call' && readsBox(assignments[0]!.value, action);
}

/** A search for the box, or a helper that is given the action. */
function readsBox(call: SyntaxNode, action: string): boolean {
  const given = (call.child('arguments')?.namedChildren ?? []).map(({ text }) => text);
  if (!given.some((text) => text === action || text === `${action}.strip()`)) return false;
  const name = call.child('function')?.text ?? '';
  return given.some((text) => text.includes('boxed')) || /extract|parse|boxed|answer/i.test(name) || /(pattern|box|regex)\w*\.(search|match|findall)$/i.test(name);
}

function isFalse(node: SyntaxNode | undefined): boolean {
  return node?.type === 'false';
}

/** True when a condition looks at the turn limit, itself or by a name that was computed from it. */
function testsLimit(condition: SyntaxNode | null, definition: SyntaxNode): boolean {
  if (condition === null) return false;
  if (LIMIT.test(condition.text)) return true;
  const names = [condition, ...condition.descendants()].filter(({ type }) => type === 'identifier');
  return names.some(({ text }) => assignmentsOf(definition, text).some(({ value }) => value !== null && LIMIT.test(value.text)));
}

/** True when `step` tests the turn limit, and leaves, before a branch. */
function limitTestedBefore(definition: SyntaxNode, branch: SyntaxNode): boolean {
  for (const earlier of definition.child('body')?.inScope('if_statement') ?? []) {
    if (earlier.end > branch.start) continue;
    const leaves = earlier.child('consequence')?.inScope('return_statement').next().done === false;
    if (leaves && testsLimit(earlier.child('condition'), definition)) return true;
  }
  return false;
}

/** `format-branch-ignores-max-turns`: the branch for a reply without a box says "go on" whatever the turn. */
export function formatBranchIgnoresMaxTurns(file: PythonFile): FindingDraft[] {
  const step = file.method('step');
  const action = step?.parameters[0]?.name;
  if (!step || action === undefined) return [];
  const drafts: FindingDraft[] = [];
  for (const branch of step.node.child('body')?.inScope('if_statement') ?? []) {
    const condition = branch.child('condition');
    const body = branch.child('consequence');
    if (condition === null || body === null || !saysNoBox(condition, step.node, action) || limitTestedBefore(step.node, branch)) continue;
    const ends = returnsOf(step.node).map(({ statement, value }) => (body.contains(statement) ? tupleParts(value) : null));
    if (LIMIT.test(body.text) || ends.some((parts) => parts?.length === 5 && !(isFalse(parts[2]) && isFalse(parts[3])))) continue;
    for (const { statement, value } of returnsOf(step.node)) {
      const parts = body.contains(statement) ? tupleParts(value) : null;
      if (parts?.length !== 5 || !isFalse(parts[2]) || !isFalse(parts[3])) continue;
      drafts.push({
        range: file.range(statement),
        message: message('A reply without a box never ends the episode: this branch goes on past max_turns, and the run plays to its own budget with return 0. Return truncated as the other branches do, for example self.turns >= self.max_turns.'),
        related: [{ ...file.range(condition), message: message('Replies without a box come here.') }],
      });
    }
  }
  return drafts;
}

const OVER = /\b\w*(done|over|finish|ended|terminat|complete|solved)\w*\b/i;

function guardedByEnd(call: SyntaxNode, definition: SyntaxNode): boolean {
  for (let node = call.parent; node !== null && node !== definition; node = node.parent) {
    if ((node.type === 'if_statement' || node.type === 'elif_clause') && OVER.test(node.child('condition')?.text ?? '')) return true;
  }
  return false;
}

/** `new-task-inside-step`: `step` calls `reset`, or what `reset` calls to draw a task. */
export function newTaskInsideStep(file: PythonFile): FindingDraft[] {
  const step = file.method('step');
  const reset = file.method('reset');
  if (step === null || reset === null) return [];
  const makers = new Set([reset.node, ...reachedFrom(file, reset).slice(1).filter((definition) => isOwn(file, definition) && allDraws(definition).length > 0 && /\bself\.\w+ *(,|=(?!=))/.test(definition.text))]);
  const drafts: FindingDraft[] = [];
  for (const call of step.node.descendants('call')) {
    const callee = calleeOf(file, call, step.self);
    if (callee === null || !makers.has(callee) || guardedByEnd(call, step.node)) continue;
    drafts.push({
      range: file.range(call),
      message: message('step makes a new task while the episode goes on: what the agent was asked and what it is paid for are then two things, and solution() changes under it. Draw the task in reset only.'),
    });
  }
  return drafts;
}
