import type { InsightProgress, Point } from "#contract/index.ts";
import { append, largest } from "#contract/lists.ts";
import type { SpokenLine } from "#server/transcription/spoken-lines.ts";
import type { Chat, ChatMessage } from "#server/translation/chat-client.ts";
import type { Answer, Said } from "./answer.ts";
import { askModel } from "./ask-model.ts";
import { cutTranscript, grouped, lineOf, tokensOf } from "./pieces.ts";
import { mayBeNone, mergingPrompt, readingPrompt, type Wanted } from "./prompts.ts";
import { type Known, knownOf, referenceOf, spansOf } from "./references.ts";

export interface MakeOptions {
  /** The model's context in tokens, including the answer. */
  contextTokens: number;
  /** Stops the model; the call then rejects with its reason. */
  signal?: AbortSignal | undefined;
  onProgress?: (progress: InsightProgress) => void;
  /** Each point of the result as it comes. */
  onPoint?: (point: Point) => void;
}

export interface Made {
  points: Point[];
  /** Sentences that rested on nothing, and were left out. */
  omitted: number;
}

/** The tokens for the answer: a quarter of the context, at most this many. */
const maxAnswerTokens = 2000;
/** Merging that does not get shorter ends after so many rounds. */
const maxRounds = 4;

/**
 * Has a language model read a transcript. A text longer than the model's context is read in parts, and the results are
 * merged (map-reduce), in several rounds if necessary. Every point has the times of the cited lines; points without
 * citations are left out.
 * @param lines at least one
 * @throws RemoteError, `garbage` for an unusable answer; the signal's reason when it is aborted
 */
export async function makeInsight(
  chat: Chat,
  wanted: Wanted,
  lines: readonly SpokenLine[],
  { contextTokens, signal, onProgress, onPoint }: MakeOptions,
): Promise<Made> {
  const known = knownOf(lines);
  const { kind } = wanted;
  const ask = (messages: ChatMessage[], among: Known, onSaid?: (said: Said) => void) =>
    askModel(chat, messages, { kind, known: among, source: "in the transcript", mayBeNone: mayBeNone(wanted), signal, onSaid });
  const show = (said: Said) => onPoint?.(pointOf(said, known));
  const budget = budgetFor(wanted, contextTokens);
  const pieces = cutTranscript(lines, budget);
  if (pieces.length === 1) {
    onProgress?.({ done: 0, total: 1 });
    return resultOf(wanted, await ask(readingPrompt(wanted, lines.map(lineOf)), known, show), lines);
  }
  let total = pieces.length + 1;
  let done = 0;
  const step = () => onProgress?.({ done, total });
  let found: Said[] = [];
  let omitted = 0;
  const readOne = async (messages: ChatMessage[], among: Known): Promise<Said[]> => {
    step();
    const answer = await ask(messages, among);
    done += 1;
    omitted += answer.omitted;
    return answer.said;
  };
  for (const [index, piece] of pieces.entries()) {
    const part = { number: index + 1, of: pieces.length };
    append(found, await readOne(readingPrompt(wanted, piece.map(lineOf), part), knownOf(piece)));
  }
  for (let round = 1; ; round += 1) {
    const groups = grouped(found, findingOf, budget);
    if (groups.length <= 1 || round > maxRounds) break;
    total += groups.length;
    const merged: Said[] = [];
    for (const group of groups) append(merged, await readOne(mergingPrompt(wanted, group.map(findingOf)), amongOf(group, known)));
    // It does not get any shorter.
    if (merged.length >= found.length) break;
    found = merged;
  }
  step();
  if (found.length === 0) return { points: [], omitted };
  if (grouped(found, findingOf, budget).length > 1) {
    // More than the model can read at once, and it can't shorten it: nothing is left out.
    for (const said of found) show(said);
    return resultOf(wanted, { said: found, omitted, isNone: false }, lines);
  }
  const answer = await ask(mergingPrompt(wanted, found.map(findingOf)), amongOf(found, known), show);
  return resultOf(wanted, { ...answer, omitted: answer.omitted + omitted }, lines);
}

/** The remaining tokens for the transcript. */
function budgetFor(wanted: Wanted, contextTokens: number): number {
  const answer = Math.min(maxAnswerTokens, Math.floor(contextTokens / 4));
  const both = [readingPrompt(wanted, [], { number: 999, of: 999 }), mergingPrompt(wanted, [])];
  const instruction = largest(both.map((messages) => tokensOf(messages.map(({ content }) => content).join("\n"))));
  return Math.max(500, contextTokens - answer - instruction - messageTokens);
}
/** Tokens that a server adds around the messages. */
const messageTokens = 50;

const findingOf = ({ text, heading, task, numbers }: Said): string => {
  const what = task === undefined ? text : `${text} | ${task.owner ?? ""} | ${task.due ?? ""}`;
  return `${heading === undefined ? "" : `${heading}: `}${what} ${referenceOf(numbers)}`;
};

/** The lines that findings rest on: a model that merges them can refer to no others. */
function amongOf(found: readonly Said[], known: Known): Known {
  return knownOf(found.flatMap(({ numbers }) => numbers.flatMap((number) => known.get(number) ?? [])));
}

function resultOf({ kind }: Wanted, { said, omitted }: Answer, lines: readonly SpokenLine[]): Made {
  const known = knownOf(lines);
  const points = said.map((one) => pointOf(one, known));
  return { points: kind === "chapters" ? chaptersOf(points, lines) : points, omitted };
}

function pointOf({ numbers, ...point }: Said, known: Known): Point {
  return { ...point, spans: spansOf(numbers.flatMap((number) => known.get(number) ?? [])) };
}

/** In the transcript's order, each until the start of the next one; of two with the same start, the first. */
function chaptersOf(points: readonly Point[], lines: readonly SpokenLine[]): Point[] {
  const startOf = ({ spans: [first] }: Point) => first?.[0] ?? 0;
  const sorted = points.toSorted((a, b) => startOf(a) - startOf(b));
  const apart = sorted.filter((point, index) => index === 0 || startOf(point) !== startOf(sorted[index - 1] ?? point));
  const end = largest(lines.map((line) => line.end));
  return apart.map((point, index) => {
    const next = apart[index + 1];
    return { ...point, spans: [[startOf(point), next === undefined ? end : startOf(next)]] };
  });
}
