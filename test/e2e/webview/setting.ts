/** What the host answers by method, the notes that follow a message of the page, and what the page had saved. */
export interface Answers {
  readonly results: Readonly<Record<string, unknown>>;
  readonly notes?: Readonly<Record<string, { readonly method: string; readonly params: unknown }>>;
  readonly saved?: unknown;
}

/** A bundle on its page. */
export interface Setting {
  readonly bundle: string;
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly answers: Answers;
}
