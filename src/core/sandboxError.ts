import { message, type Message } from '../shared/message';
import type { HostError } from '../shared/hostProtocol';
import { EnvwrightError } from './errors';
import type { SessionEnd } from './ports';

/**
 * Why a sandbox gave no result. Exactly one of three: the environment raised (`raised`; the session lives on), the
 * session ended (`end`), or there is no sandbox at all (both null).
 */
export class SandboxError extends EnvwrightError {
  constructor(
    code: string,
    what: Message,
    next: Message,
    readonly raised: HostError | null = null,
    readonly end: SessionEnd | null = null,
    options?: { cause?: unknown },
  ) {
    super(code, what, next, options);
    this.name = 'SandboxError';
  }

  /** The environment raised, or could not be loaded. Exception texts are the environment's and untrusted. */
  static raised(error: HostError): SandboxError {
    const said = [error.type, error.message].filter((part) => part !== '').join(': ');
    return new SandboxError(`sandbox/${error.code}`, message('The environment failed: {said}', { said }),
      message('Its traceback says where.'), error);
  }

  /** The session is over; `end.limit` names the setting that was hit. */
  static ended(end: SessionEnd): SandboxError {
    return new SandboxError(`sandbox/${end.reason}`, message('The environment was stopped: {detail}', { detail: end.detail || end.reason }),
      end.limit === null ? message('Run it again; if it happens again, look at the log.') : message('The limit can be set: {limit}.', { limit: end.limit }), null, end);
  }
}
