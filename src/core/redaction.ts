/** What looks like a key wherever it stands: the groups around it are kept. */
const KEY_SHAPES: readonly RegExp[] = [
  /(\bBearer\s+)[^\s"',;]{6,}/gi,
  /(\bBasic\s+)[A-Za-z0-9+/=]{8,}/g,
  /\b(sk-|hf_|gsk_|xai-|ghp_|github_pat_|AIza)[A-Za-z0-9_-]{8,}/g,
  /((?:api[-_]?key|wandb[-_]key|access[-_]?token|auth[-_]?token|password|secret)["']?\s*[=: ]\s*["']?)[^\s"',;&]{4,}/gi,
  /(\/\/[^\s/:@]+:)[^\s/@]+(?=@)/g,
];

/** Takes keys out of text that is logged or shown: the ones it was told of, and whatever has the shape of one. */
export class Redactor {
  private readonly secrets = new Set<string>();

  /** Remembers a key; very short ones are left alone, they would tear ordinary words. */
  add(secret: string): void {
    if (secret.length >= 6) this.secrets.add(secret);
  }

  redact(text: string): string {
    let result = text;
    for (const secret of this.secrets) result = result.replaceAll(secret, '[key]');
    for (const shape of KEY_SHAPES) result = result.replace(shape, '$1[key]');
    return result;
  }
}
