import { told, toldLine } from '../../core/text/told-line.ts';

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

/** A menu in lines: the venue's sections in its order, each dish with its price as the venue wrote it. */
export function menuLines({ currency, sections }: TextMenu): string[] {
  const lines = sections.flatMap(({ name, items }) => [
    `${told(name)}:`,
    ...items.map(
      ({ name: dish, price, description, notes = null }) =>
        `- ${toldLine(told(dish), told(price), told(description), told(notes))}`,
    ),
  ]);
  return [currency === null ? 'Menu:' : `Menu, prices in ${currency}:`, ...lines];
}
