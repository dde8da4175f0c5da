import { quoteUntrusted, joinFacts } from '../../core/text/tool-text.ts';

interface TextMenu {
  currency: string | null;
  sections: readonly {
    name: string;
    items: readonly {
      name: string;
      description: string | null;
      price: string | null;
      notes?: string | null;
    }[];
  }[];
}

/** Text lines of a menu: the venue's sections in its order, each dish with its price as the venue wrote it. */
export function menuLines({ currency, sections }: TextMenu): string[] {
  const lines = sections.flatMap(({ name, items }) => [
    `${quoteUntrusted(name)}:`,
    ...items.map(
      ({ name: dish, price, description, notes = null }) =>
        `- ${joinFacts(quoteUntrusted(dish), quoteUntrusted(price), quoteUntrusted(description), quoteUntrusted(notes))}`,
    ),
  ]);
  return [currency === null ? 'Menu:' : `Menu, prices in ${currency}:`, ...lines];
}
