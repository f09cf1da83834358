import type { PromptAction, PromptChange, PromptSource, PromptState } from '../../src/shared/webviewDesign';
import { t } from '../ui/strings';

/** A part of the panel, which draws itself from the state. */
export interface View {
  readonly element: HTMLElement;
  update(state: PromptState): void;
}

/** What a part of the panel can ask for. */
export interface Actions {
  change(change: PromptChange): void;
  act(action: PromptAction): void;
  openPart(key: string, what: 'source' | 'text'): void;
  /** Brings the first part of a source into view. */
  jump(source: PromptSource): void;
}

/** The word for where a part of the prompt comes from. */
export function sourceWord(source: PromptSource): string {
  return { task: t('task'), memory: t('memory'), document: t('document'), feedback: t('feedback') }[source];
}

/** Tokens of each source, in the order of the legend. */
export function bySource({ parts }: PromptState, sources: readonly PromptSource[]): { readonly source: PromptSource; readonly tokens: number }[] {
  return sources.map((source) => ({ source, tokens: parts.filter((part) => part.source === source).reduce((sum, { tokens }) => sum + tokens, 0) }));
}
