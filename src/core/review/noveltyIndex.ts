import { readPython } from '../environment/pythonDocument';
import type { PythonParser } from '../ports';
import { cloneGroups, Commonness, fingerprint, likelyPartners, similarity, type Fingerprint } from './novelty';

/** The nearest other text by structure. */
export interface Nearest {
  readonly key: string;
  readonly similarity: number;
}

/** Copies among some texts, by their keys. */
export interface KeyGroup {
  readonly keys: readonly string[];
  readonly similarity: number;
}

/** The structures of texts by key, and what of them is a copy of what. */
export class NoveltyIndex {
  private readonly prints = new Map<string, Fingerprint>();

  constructor(private readonly parser: PythonParser) {}

  /** Reads a text's structure; a key that is known keeps its own. */
  add(key: string, text: string): Fingerprint {
    const known = this.prints.get(key) ?? fingerprint(readPython(this.parser, text).tree);
    this.prints.set(key, known);
    return known;
  }

  /** Groups of copies among the keys that are known, the first of each in the order given. */
  groups(keys: readonly string[]): KeyGroup[] {
    const known = keys.filter((key) => this.prints.has(key));
    const prints = known.map((key) => this.prints.get(key)!);
    return cloneGroups(prints, commonnessOf(prints)).map(({ members, similarity: value }) => ({ keys: members.map((index) => known[index]!), similarity: value }));
  }

  /** For each key the most alike of `among`, itself left out; null where none shares anything rare. */
  nearest(keys: readonly string[], among: readonly string[]): Map<string, Nearest | null> {
    const others = among.flatMap((key) => (this.prints.has(key) ? [[key, this.prints.get(key)!] as const] : []));
    const own = keys.flatMap((key) => (this.prints.has(key) ? [[key, this.prints.get(key)!] as const] : []));
    const commonness = commonnessOf([...own, ...others].map(([, print]) => print));
    const partnersOf = likelyPartners(others.map(([, print]) => print), commonness);
    return new Map(own.map(([key, print]) => {
      let best: Nearest | null = null;
      for (const index of partnersOf(print)) {
        const [other, otherPrint] = others[index]!;
        if (other === key) continue;
        const value = similarity(print, otherPrint, commonness);
        if (best === null || value > best.similarity) best = { key: other, similarity: value };
      }
      return [key, best];
    }));
  }
}

function commonnessOf(prints: readonly Fingerprint[]): Commonness {
  const commonness = new Commonness();
  for (const print of prints) commonness.add(print);
  return commonness;
}
