import de from './words/languages/de.json' with { type: 'json' };
import en from './words/languages/en.json' with { type: 'json' };
import es from './words/languages/es.json' with { type: 'json' };
import fr from './words/languages/fr.json' with { type: 'json' };
import id from './words/languages/id.json' with { type: 'json' };
import it from './words/languages/it.json' with { type: 'json' };
import ja from './words/languages/ja.json' with { type: 'json' };
import nl from './words/languages/nl.json' with { type: 'json' };
import pt from './words/languages/pt.json' with { type: 'json' };

/** Phrases of one language, separated by bars, by section and value. */
export type LanguageWords = Record<string, Record<string, string>>;

/** Phrases of all languages in which questions are understood. Searches and `concierge_answer` use the same ones. */
export const LANGUAGE_WORDS = { en, es, fr, de, it, pt, nl, id, ja };
