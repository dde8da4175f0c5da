/** A topic of the reference as the search knows it. */
export interface Searchable {
  href: string;
  title: string;
  /** The name of the page that it stands on. */
  page: string;
  /** The words in it, folded. */
  words: string;
}

export function fold(text: string): string;
export function rankTopics(topics: readonly Searchable[], query: string): Searchable[];
