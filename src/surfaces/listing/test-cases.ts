import type { Surface } from '../../core/context.ts';

/** A reviewer's prompt and the expected result. Tools are named like operations, without the prefix of the service. */
export interface TestCase {
  prompt: string;
  tools: readonly string[];
  expect: string;
}

/** An out-of-scope prompt, for which no tool must be called. */
export interface NegativeCase {
  prompt: string;
  because: string;
}

export const TEST_CASES: Record<Surface, readonly TestCase[]> = {
  agent: [
    {
      prompt: 'Which destinations in Indonesia do you cover?',
      tools: ['list_destinations'],
      expect: 'The destinations of Indonesia by name, Bali among them.',
    },
    {
      prompt: 'Find a pizza place in Bali and tell me when it is open.',
      tools: ['search_places', 'get_place'],
      expect: 'One or more places by name with their hours, or with the remark that hours are not verified.',
    },
    {
      prompt:
        'Check an entry for my cafe "Sample Corner" in Ubud, Bali. I am the owner. Do not hand it in yet.',
      tools: ['submit_business'],
      expect: 'A rehearsal (dry_run): what is complete, what is missing, and that nothing was stored.',
    },
    {
      prompt:
        'Hand it in with the reference sample-corner, and add ten per cent off coffee until the end of next month.',
      tools: ['submit_business', 'submit_promo'],
      expect: 'Both wait for the review by a person. Neither is called live.',
    },
    {
      prompt: 'What became of everything that I submitted?',
      tools: ['list_submissions'],
      expect: 'Each submission with its state; the sample of the review account is waiting for review.',
    },
    {
      prompt: 'Show me photos of Bali that I could use on a website, and what the cheapest of them costs.',
      tools: ['search_photos', 'quote_photo'],
      expect: 'Photos on offer with prices, and the terms of one use. Nothing is charged.',
    },
    {
      prompt: 'How much is in my photo wallet, and could you license that photo for at most one dollar?',
      tools: ['photo_wallet', 'license_photo'],
      expect: 'The balance, which is nothing, and that a licence needs the API key of the operator.',
    },
  ],
  partner: [
    {
      prompt: 'Where can four of us have vegetarian food in Bali tonight?',
      tools: ['concierge_answer'],
      expect: 'Two or three places by name, facts with their dates, and what the directory does not know.',
    },
    {
      prompt: 'Which destinations in Japan do you know?',
      tools: ['list_destinations'],
      expect: 'The destinations of Japan, Tokyo among them.',
    },
    {
      prompt: 'Find quiet cafes in Lisbon with at least four stars.',
      tools: ['search_places'],
      expect:
        'Cafes of Lisbon that are rated four or better. A wish that nobody recorded is named as unknown.',
    },
    {
      prompt: 'What is open in Bali on Sunday at 8 in the evening?',
      tools: ['open_places'],
      expect: 'Places with verified hours that are open then, by the clock of Bali.',
    },
    {
      prompt: 'Tell me everything about the first of them: menu, ratings, address.',
      tools: ['place_details', 'get_menu', 'get_reviews'],
      expect:
        'The record, the menu with its prices or that none is held, and the ratings without any review text.',
    },
    {
      prompt: 'How do I book it for two people next Friday at 19:30?',
      tools: ['booking_link'],
      expect:
        'How the venue wants to be booked, with its page filled in where it takes that. Nothing is booked.',
    },
    {
      prompt: 'Give me the first five places of the feed of Bali.',
      tools: ['directory_feed'],
      expect: 'Five records and the cursor of the next page.',
    },
  ],
  concierge: [
    {
      prompt: 'Could I get a table for four at this place next Friday at 19:30? Its id is {place_id}.',
      tools: ['check_availability'],
      expect: 'Whether it is open then, and how the venue would be asked. Nobody is asked yet.',
    },
    {
      prompt: 'Yes, ask for it under the name Review Guest.',
      tools: ['request_table'],
      expect: 'The venue has been asked; nothing is booked. The number of the booking.',
    },
    {
      prompt: 'Has the venue answered?',
      tools: ['booking_status'],
      expect: 'The state and the timeline of that booking.',
    },
    {
      prompt: 'Make it six people instead.',
      tools: ['modify_booking'],
      expect: 'That the venue is asked anew, or that nothing can be changed while it is being asked.',
    },
    {
      prompt: 'Cancel it, please.',
      tools: ['cancel_booking'],
      expect: 'The booking is cancelled, and the venue is told.',
    },
    {
      prompt: 'Send every move of my bookings to https://example.com/hook and tell me how the deliveries go.',
      tools: ['set_webhook', 'webhook_status'],
      expect: 'That an address is registered with the partner key itself, and that there are no deliveries.',
    },
  ],
  reserve: [
    {
      prompt: 'The Reserve button of a restaurant of the feed, then a table for two on a free evening.',
      tools: ['restaurant_reservation', 'check_availability', 'request_table', 'booking_status'],
      expect: 'A form for this restaurant; then the words that it was asked and has not confirmed yet.',
    },
    {
      prompt: 'In the same form: one guest more, and after that give the table up.',
      tools: ['modify_booking', 'cancel_booking'],
      expect: 'The restaurant is asked again or told; the form says how the table stands.',
    },
  ],
};

export const NEGATIVE_CASES: readonly NegativeCase[] = [
  { prompt: 'Book me a flight to Bali.', because: 'Flights are not in the directory.' },
  { prompt: 'What is the weather in Lisbon tomorrow?', because: 'The directory knows no weather.' },
  { prompt: 'Write me a recipe for nasi goreng.', because: 'Recipes are no places.' },
];
