/**
 * Names that chat templates and models use when they escape a parameter. The standard has 2,231 more; a reply that writes
 * one of those is played with the name as it stands.
 */
const NAMED: Readonly<Record<string, string>> = {
  'amp;': '&', 'lt;': '<', 'gt;': '>', 'quot;': '"', 'apos;': "'", 'nbsp;': '\u00a0', 'hellip;': '…', 'mdash;': '—', 'ndash;': '–', 'copy;': '©',
  'lsquo;': '‘', 'rsquo;': '’', 'ldquo;': '“', 'rdquo;': '”', 'times;': '×', 'deg;': '°', 'euro;': '€', 'pound;': '£',
  amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0', copy: '©', times: '×', deg: '°', pound: '£',
};

/** What the numbers 128 to 159 stand for: the Windows code page, as browsers and Python read them. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function fromNumber(code: number): string {
  if (code >= 0x80 && code <= 0x9f) return WINDOWS.charAt(code - 0x80);
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd';
  if (code === 0x0d) return '\r';
  const forbidden = code < 0x09 || code === 0x0b || (code >= 0x0e && code <= 0x1f) || (code >= 0x7f && code <= 0x9f) || (code >= 0xfdd0 && code <= 0xfdef);
  return forbidden || (code & 0xfffe) === 0xfffe ? '' : String.fromCodePoint(code);
}

/** Replaces character references as Python's `html.unescape` does: numbers, and the names above, the longest name first. */
export function unescapeHtml(text: string): string {
  return text.replace(/&(?:#(\d+)|#[xX]([0-9a-fA-F]+));?|&([a-z]+;?)/g, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name === undefined) return fromNumber(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal));
    for (let end = name.length; end > 1; end -= 1) {
      const found = NAMED[name.slice(0, end)];
      if (found !== undefined) return found + name.slice(end);
    }
    return whole;
  });
}
