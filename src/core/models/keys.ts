import { message } from '../../shared/message';
import { EnvwrightError } from '../errors';
import { parseEndpoint } from './endpoint';

/** A store for secrets: the editor's, or one in memory. */
export interface SecretStore {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
}

/** The name under which the key of an endpoint is kept: a key belongs to the origin that it was given for. */
function secretName(endpoint: string): string {
  return `envwright.apiKey:${parseEndpoint(endpoint).origin}`;
}

/** API keys, each bound to one origin: an endpoint of another origin never gets the key of this one. */
export class KeyRing {
  constructor(private readonly secrets: SecretStore) {}

  /** The key given for this endpoint's origin, undefined when there is none: then the user is to be asked. */
  async keyFor(endpoint: string): Promise<string | undefined> {
    return this.secrets.get(secretName(endpoint));
  }

  /** Keeps a key for this endpoint's origin. @throws EnvwrightError `model/key-malformed` for what no header can carry. */
  async setKey(endpoint: string, key: string): Promise<void> {
    const trimmed = key.trim();
    if (!/^[\x21-\x7e]+$/.test(trimmed)) {
      throw new EnvwrightError('model/key-malformed', message('This is no API key: it is empty, or holds blanks or characters outside ASCII.'),
        message('Copy the key again, without quotes.'));
    }
    await this.secrets.set(secretName(endpoint), trimmed);
  }

  async forgetKey(endpoint: string): Promise<void> {
    await this.secrets.delete(secretName(endpoint));
  }
}

/** True when a key sent there could be read on the way: plain http to another computer. */
export function sendsKeyInClear(endpoint: string): boolean {
  const { origin, loopback } = parseEndpoint(endpoint);
  return origin.startsWith('http:') && !loopback;
}
