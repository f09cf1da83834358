/** What a panel's page is made of; addresses are the webview's own. */
export interface Page {
  readonly title: string;
  readonly language: string;
  readonly script: string;
  readonly style: string;
  /** The webview's content source, for the policy. */
  readonly source: string;
  /** Fresh for every page. */
  readonly nonce: string;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/**
 * The page of a panel. Nothing but the panel's own bundle may run or style: no inline script or style, no network, no
 * images, no frames. The toolkit probes for `:focus-visible` with an empty style element, to which it puts the nonce of
 * the `csp-nonce` meta; without it every mouse click would draw a focus ring.
 */
export function pageHtml({ title, language, script, style, source, nonce }: Page): string {
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${source} 'nonce-${nonce}'; font-src ${source}; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">
<meta property="csp-nonce" content="${escaped(nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${escaped(style)}">
</head>
<body>
<script type="module" nonce="${escaped(nonce)}" src="${escaped(script)}"></script>
</body>
</html>`;
}
