import { z } from 'zod';

/**
 * A text for people, not yet in a language: the English template is the key of the translation bundle, and `{name}` in
 * it stands for `args.name`. The editor passes both to `vscode.l10n.t`; the command line uses {@link formatMessage}.
 */
export const Message = z.object({
  template: z.string(),
  args: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type Message = z.infer<typeof Message>;

/** Builds a {@link Message}. */
export function message(template: string, args: Message['args'] = {}): Message {
  return { template, args };
}

/** The English text of a message. A placeholder without an argument stays as it is. */
export function formatMessage({ template, args }: Message): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(args[name] ?? whole));
}
