import { meanings } from '../../src/import/categories.ts';

/** Returns the rules of the import for `osmium tags-filter`: all of them, or those for one category. */
export function osmiumFilter(category?: string): string[] {
  const expressions: string[] = [];
  for (const [key, byValue] of meanings) {
    if (category === undefined && byValue.has('*')) {
      expressions.push(`nwr/${key}`);
      continue;
    }
    const entries = [...byValue].filter(([value]) => value !== '*');
    const values = entries.filter(([, meaning]) => (category ?? meaning.category) === meaning.category);
    const filterValues = values.map(([value]) => value);
    if (category !== undefined && byValue.has('*') && !byValue.has(category)) filterValues.push(category);
    if (filterValues.length > 0) expressions.push(`nwr/${key}=${filterValues.join(',')}`);
  }
  return expressions;
}
