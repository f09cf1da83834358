import * as vscode from 'vscode';
import { Emitter, type Disposable } from '../core/lifecycle';
import type { Logger } from '../core/ports';
import type { Redactor } from '../core/redaction';

/** One line of the log, redacted. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly text: string;
}

/** The one log channel. Everything passes the redactor, stack traces too. */
export class EditorLog implements Logger, Disposable {
  private readonly channel = vscode.window.createOutputChannel('Envwright', { log: true });
  private readonly lines = new Emitter<LogLine>();
  readonly onLine = this.lines.event;

  constructor(private readonly redactor: Redactor) {}

  info(text: string): void {
    this.write('info', text);
  }

  warn(text: string): void {
    this.write('warn', text);
  }

  error(text: string, error?: unknown): void {
    this.write('error', error === undefined ? text : `${text}\n${describe(error)}`);
  }

  show(): void {
    this.channel.show(true);
  }

  dispose(): void {
    this.lines.dispose();
    this.channel.dispose();
  }

  private write(level: LogLine['level'], raw: string): void {
    const text = this.redactor.redact(raw);
    this.channel[level](text);
    this.lines.fire({ level, text });
  }
}

/** An error with its stack and its causes; anything else as JSON. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : JSON.stringify(error);
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${own}\ncaused by ${describe(error.cause)}`;
}
