import { formatMessage, message, type Message } from '../../src/shared/message';

let bundle: Readonly<Record<string, string>> = {};

/** Sets the translations: English template to template in the user's language. */
export function setStrings(strings: Readonly<Record<string, string>>): void {
  bundle = strings;
}

/** Text of a message in the user's language. */
export function say(text: Message): string {
  return formatMessage({ template: bundle[text.template] ?? text.template, args: text.args });
}

/** Text of a template in the user's language; `{name}` stands for an argument. */
export function t(template: string, args: Message['args'] = {}): string {
  return say(message(template, args));
}
