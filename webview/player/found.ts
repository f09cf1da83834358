/** Name under which the stylesheet knows what a search found. */
const NAME = 'found';
/** Most places that are marked: more are of no use to a reader. */
const MOST = 2000;

/** Marks every place of a text inside an element that holds the query, without touching the text. */
export function markFound(root: Element, query: string): void {
  const wanted = query.toLowerCase();
  if (wanted === '') {
    CSS.highlights.delete(NAME);
    return;
  }
  const ranges: Range[] = [];
  for (const said of root.querySelectorAll('.said')) {
    const walker = document.createTreeWalker(said, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node && ranges.length < MOST; node = walker.nextNode()) {
      const text = (node.nodeValue ?? '').toLowerCase();
      for (let at = text.indexOf(wanted); at >= 0 && ranges.length < MOST; at = text.indexOf(wanted, at + wanted.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, Math.min(at + wanted.length, node.nodeValue?.length ?? 0));
        ranges.push(range);
      }
    }
  }
  CSS.highlights.set(NAME, new Highlight(...ranges));
}
