import {
  isLiteralElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  parse,
  type MessageFormatElement,
  type PluralElement,
} from '@formatjs/icu-messageformat-parser';

/** Numbers from one to the largest that a message may contain. */
const COUNTS = Array.from({ length: 200 }, (_, i) => i + 1);

export const parsed = (pattern: string) => parse(pattern, { ignoreTag: true });

/** Checks that a plural has each form of the language, and shows the number where a form has several. */
export function pluralFaults({ value, options }: PluralElement, code: string): string[] {
  const rules = new Intl.PluralRules(code);
  const forms: string[] = rules.resolvedOptions().pluralCategories;
  const needed = [...Map.groupBy(COUNTS, (count) => rules.select(count))];
  return [
    ...needed.filter(([form]) => options[form] === undefined).map(([form]) => `lacks the form ${form}`),
    ...needed
      .filter(([form, counts]) => counts.length > 1 && options[form]?.value.some(isPoundElement) === false)
      .filter(() => value !== 'hour' && value !== 'untilHour')
      .map(([form]) => `does not show the number in the form ${form}`),
    ...Object.keys(options)
      .filter((form) => !forms.includes(form) && !/^=\d+$/.test(form))
      .map((form) => `has the form ${form}, which the language does not have`),
  ].map((fault) => `{${value}} ${fault}`);
}

/** Returns the arguments that the message contains whichever forms are chosen. */
export function alwaysUsed(elements: readonly MessageFormatElement[]): Set<string> {
  const names = new Set<string>();
  for (const element of elements) {
    if (isLiteralElement(element) || isPoundElement(element)) continue;
    names.add(element.value);
    if (!isPluralElement(element) && !isSelectElement(element)) continue;
    const [first, ...others] = Object.values(element.options).map(({ value }) => alwaysUsed(value));
    for (const name of others.reduce((common, one) => common.intersection(one), first ?? new Set<string>()))
      names.add(name);
  }
  return names;
}

export function elementsIn(elements: readonly MessageFormatElement[]): MessageFormatElement[] {
  return elements.flatMap((element) => [
    element,
    ...(isPluralElement(element) || isSelectElement(element)
      ? Object.values(element.options).flatMap(({ value }) => elementsIn(value))
      : []),
  ]);
}
