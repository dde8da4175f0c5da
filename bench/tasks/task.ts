import type { World } from './world/world.ts';

/** Who the agent is connected to. With the concierge it has the partner's tools too: the ids of places come from there. */
export type Surface = 'agent' | 'partner' | 'concierge';

/** Some hosts hand a model only the text of a result, others only its structured content. */
export const MODES = ['text', 'structured'] as const;
export type Mode = (typeof MODES)[number];

/** A value that the wording gives; a list holds what is to be tried next should the one before be refused. */
export type Value = string | number | boolean | readonly string[];

/** What the wording says, by everyday words. */
export type Said = Readonly<Record<string, Value>>;

/** What somebody wants to be told, and by which a reader knows that it has been. */
export type Wanted =
  | 'phone'
  | 'link'
  | 'hours'
  | 'price'
  | 'rating'
  | 'menu'
  | 'status'
  | 'channel'
  | 'id'
  | 'reason'
  | 'balance';

export interface Step {
  /** What is to be done, in words of the wording. A tool is chosen by them. */
  do: string;
  /** Which of what was said belongs to this step; all of it unless named. */
  with?: readonly string[];
  /** What the user wants to be told by it. */
  find?: readonly Wanted[];
}

/** How an agent fills arguments that has not read the schema well. */
export interface Habits {
  /** The name of a parameter that it uses for something that was said. */
  names?: Readonly<Record<string, string>>;
  /** Numbers go as text. */
  quoted?: boolean;
  /** What it does not know goes as an empty text, or as null. */
  unknown?: 'empty' | 'null';
}

/** What a run has come to. */
export interface Outcome {
  /** What the user is told: what the last results said, or the last words of a model. */
  answer: string;
  /** Everything that was seen on the way. */
  seen: string;
}

export interface Task {
  name: string;
  surface: Surface;
  /** No tools: the agent has the address of the service and reads what it says for agents. */
  byWeb?: boolean;
  /** The wording; {words} stand for what is said. */
  ask: string;
  said: Said;
  steps: readonly Step[];
  habits?: Habits;
  /** Headers that hold the credential of this run. */
  headers: Readonly<Record<string, string>>;
  solved: (outcome: Outcome) => Promise<boolean> | boolean;
}

/** Makes a task and what it takes for granted, such as a table that was asked for before. Every run has its own. */
export type MakeTask = (world: World, run: number) => Task | Promise<Task>;
