/** Search index entry of a topic. */
export interface Searchable {
  href: string;
  title: string;
  /** Name of its page. */
  page: string;
  /** Its words, folded. */
  words: string;
}

export function fold(text: string): string;
export function rankTopics(topics: readonly Searchable[], query: string): Searchable[];
