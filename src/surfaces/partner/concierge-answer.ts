import { z } from 'zod';
import { closedSet } from '../../core/input/closed-set.ts';
import { relaxedSet } from '../../answers/answer-sets.ts';
import { wishSet } from '../../directory/sets/fact-sets.ts';
import { promoKindSet } from '../../directory/sets/place-sets.ts';
import { defineOperation } from '../../core/operation.ts';
import { CONCIERGE_CALL } from '../../metering/plans.ts';
import { text } from '../../core/text/text.ts';
import { requireDestination } from '../../directory/place/require-place.ts';
import { languageArgument, wantedLanguages } from '../../core/text/languages.ts';
import { destinationArgument, directoryTool } from '../../search/partner-arguments.ts';
import { destinationRef } from '../../directory/place/place-answer.ts';
import { CARD_EXAMPLE } from '../../directory/place/place-examples.ts';
import { cardSchema, destinationSchema } from '../../directory/place/place-fields.ts';
import { cardLine } from '../../search/brief-card.ts';
import { languageSet } from '../../search/understand/lexicon/lexicon.ts';
import { understoodQuestion, understoodSchema } from '../../search/understand/understood.ts';
import { quoteUntrusted, joinFacts, joinLines } from '../../core/text/tool-text.ts';
import examples from './examples.json' with { type: 'json' };

const QUESTION_MIN = 3;
const QUESTION_MAX = 500;

/** Fields that every answer has; null if the question does not name them. */
const UNREAD = {
  category: null,
  cuisine: null,
  dish: null,
  diet: null,
  area: null,
  near: null,
  open_at: null,
  price: null,
  party: null,
};

const { shape } = understoodSchema;
const questionSchema = understoodSchema
  .extend({
    language: languageSet.schema.describe('The language that the question was read in.'),
    category: shape.kind.unwrap().nullable(),
    cuisine: shape.cuisine.unwrap().nullable(),
    dish: shape.dish.unwrap().nullable(),
    diet: shape.diet.unwrap().nullable(),
    area: shape.area.unwrap().nullable(),
    near: shape.near.unwrap().nullable(),
    open_at: shape.open_at.unwrap().nullable(),
    price: shape.price.unwrap().nullable(),
    party: shape.party.unwrap().nullable(),
    wishes: z
      .array(wishSet.schema)
      .describe('What the place should have. An answer says what is recorded; not_in_directory what is not.'),
    without: shape.without.unwrap(),
    not_in_directory: z
      .array(z.string())
      .describe(
        'Every part of the question that the answer does not cover, in the words of the question. Empty: all of it is covered.',
      ),
  })
  .describe('How the question was read. Several alternatives are joined by a bar.');

const claimSchema = z.object({
  place_id: z.string(),
  field: z.string().describe('The field of the record that states it.'),
  value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  text: z.string().describe('The words that state it.'),
  observed_at: z
    .string()
    .nullable()
    .describe('When it was last confirmed; null if the source gives no date.'),
});

const modeSet = closedSet('AnswerMode', {
  template: 'The sentences come from templates.',
  llm: 'A language model re-worded the sentences, and every fact was checked again.',
});

const outcomeSet = closedSet('AnswerOutcome', {
  answered: 'The places match everything in the question.',
  relaxed: 'Part of the question could not be matched; the answer names it.',
  no_match: 'Nothing fits.',
  out_of_scope: 'The question is not about places of the destination.',
});

const promotionSchema = z.object({
  place_id: z.string(),
  promo_id: z.string(),
  title: z.string(),
  kind: promoKindSet.word,
  starts_at: z.string().nullable(),
  ends_at: z.string().nullable(),
});

const DISCLOSURES = {
  template:
    'Written by program from records of the directory, without a language model. Places are chosen by match, verification, rating and distance; nobody pays for a place in the answer. Nothing was booked.',
  llm: 'Worded by a language model from records of the directory and checked against them. Places are chosen by match, verification, rating and distance; nobody pays for a place in the answer. Nothing was booked.',
} as const;

export const conciergeAnswer = defineOperation({
  name: 'concierge_answer',
  title: 'Concierge answer',
  containsUntrustedText: true,
  description:
    'A short answer to a traveller’s question about one destination, grounded in the directory: two or three places by name, every stated fact as a claim with its date, and the places as cards. Every part of the question that it cannot answer is named in not_in_directory. It books nothing and takes no personal data.',
  ...directoryTool,
  price: CONCIERGE_CALL,
  input: z.object({
    question: text(QUESTION_MIN, QUESTION_MAX).describe(
      'What a traveller asks, in English, Spanish, French, German, Italian, Portuguese, Dutch, Indonesian, Japanese or Thai. No names or contact details of people.',
    ),
    destination: destinationArgument,
    lang: languageArgument.describe('For the answer and for names, as a BCP 47 tag.'),
  }),
  output: z.object({
    answer: z
      .string()
      .describe('At most 120 words in the language of the question or of lang, made of stored facts only.'),
    mode: modeSet.schema,
    outcome: outcomeSet.schema,
    destination: destinationSchema,
    understood: questionSchema,
    relaxed: z.array(relaxedSet.schema).describe('Conditions dropped so that something matches.'),
    places: z.array(cardSchema).describe('Exactly the places that the answer names.'),
    claims: z.array(claimSchema).describe('Every fact that the answer states.'),
    promotions: z.array(promotionSchema).describe('Current promotions at places of the answer.'),
    no_match: z.boolean().describe('true: the directory has no place that matches.'),
    disclosure: z.string().describe('How the answer was made. Show it beside the answer.'),
    booked: z.literal(false),
  }),
  example: {
    ...examples.concierge_answer,
    output: { ...examples.concierge_answer.output, places: [CARD_EXAMPLE] },
  },
  async run(ctx, args) {
    // Imported on demand, because few installations use it.
    const { answerQuestion } = await import('../../answers/answer-question.ts');
    const destination = requireDestination(ctx.deps, args.destination);
    const { composed, ...result } = await answerQuestion(
      ctx,
      destination,
      args.question,
      wantedLanguages(args.lang),
    );
    const understood = understoodQuestion(result.question, result.unanswered);
    const answer = {
      ...result,
      mode: 'template' as const,
      destination: destinationRef(destination),
      understood: { ...UNREAD, ...understood, category: understood.kind ?? null },
      no_match: result.outcome === 'no_match',
      disclosure: DISCLOSURES.template,
      booked: false as const,
    };
    const { llm } = ctx.deps.config;
    if (llm !== undefined && composed !== undefined)
      ctx.afterCommit(async () => {
        const { reword } = await import('../../answers/wording/reword.ts');
        const words = await reword(llm, composed, ctx.log);
        if (words === undefined) return answer;
        return { ...answer, answer: words, mode: 'llm', disclosure: DISCLOSURES.llm };
      });
    return answer;
  },
  summarize({ answer, understood: { not_in_directory: parts }, places, promotions, disclosure }) {
    return joinLines(
      answer,
      parts.length > 0 && `Not answered: ${parts.join('; ')}.`,
      ...places.map((place) => `- ${cardLine(place)}`),
      ...promotions.map(
        ({ title, promo_id, place_id }) =>
          `Promotion: ${joinFacts(quoteUntrusted(title), promo_id, place_id)}`,
      ),
      disclosure,
    );
  },
});
