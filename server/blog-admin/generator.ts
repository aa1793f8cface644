import * as v from "valibot";
import {
  type GeneratedHead,
  type GeneratedPost,
  GenerationRequest,
  type GenerationStep,
  UniqueRequest,
} from "#contract/index.ts";
import { listTitles, listTopics } from "#server/blog/statistics-queries.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { RemoteError } from "#server/http/remote.ts";
import { asChatProblem } from "#server/insights/language-model.ts";
import type { Log } from "#server/log/log.ts";
import type { Chat, ChatMessage } from "#server/translation/chat-client.ts";
import { readGenerated, topicsOf } from "./generated-text.ts";
import { type Idea, ideasIn, postPrompt, topicPrompt, type Wanted, type WantedUnique, type Written } from "./prompts.ts";
import { similarityOf, type Trigrams, trigramsOf } from "./similarity.ts";

export interface GenerateOptions {
  /** Aborts the generation; the call then rejects with its reason. */
  signal?: AbortSignal | undefined;
  onStep?: (step: GenerationStep) => void;
  /** Once, before the text. */
  onHead?: (head: GeneratedHead) => void;
  /** Each piece of the Markdown as it comes. */
  onText?: (text: string) => void;
}

/** Generates posts with a language model. Nothing is stored: that is up to the caller. */
export interface Generator {
  available: boolean;
  /** The model's name; null without one. */
  model: string | null;
  /** @throws Problem `chatUnavailable` or `chatFailed`; the signal's reason when it is aborted */
  generate(request: GenerationRequest, options?: GenerateOptions): Promise<GeneratedPost>;
  /**
   * Generates a post about a topic that no post has yet.
   * @throws as `generate`, and Problem `noNewTopic` when the model finds none in three attempts
   */
  generateUnique(request: UniqueRequest, options?: GenerateOptions): Promise<GeneratedPost>;
}

const attempts = 3;
/**
 * Titles and topics with at least this similarity (similarity.ts) count as the same. pg_trgm's limit of 0.3 would
 * refuse most.
 */
export const sameTitle = 0.6;
const sameTopic = 0.8;
/** The number of the latest titles and of the most frequent topics in the prompt; the check considers all of them. */
const shownTitles = 200;
const shownTopics = 200;

export function createGenerator({ db, log, chat }: { db: Db; log: Log; chat: Chat | undefined }): Generator {
  /** Model errors become Problems; `message` has the server's message. */
  const asking = async <Answer>(work: (chat: Chat) => Promise<Answer>): Promise<Answer> => {
    if (chat === undefined) throw new Problem("chatUnavailable");
    try {
      return await work(chat);
    } catch (error) {
      throw asChatProblem(error, { chat }, log);
    }
  };
  const write = async (wanted: Wanted, options: GenerateOptions, idea?: Idea): Promise<GeneratedPost> => {
    options.onStep?.("writing");
    const { head, content } = await asking((model) =>
      writeWith(model, postPrompt(wanted, idea?.title), wanted.topic, idea, options),
    );
    return { ...head, content, language: wanted.language };
  };
  return {
    available: chat !== undefined,
    model: chat?.model ?? null,
    generate: async (request, options = {}) => write(v.parse(GenerationRequest, request), options),
    generateUnique: async (request, options = {}) => {
      const wanted = v.parse(UniqueRequest, request);
      if (chat === undefined) throw new Problem("chatUnavailable");
      options.onStep?.("choosing");
      const written = await readWritten(db);
      const idea = await asking((model) => findIdea(model, wanted, written, options.signal));
      const { tone, language, length, audience } = wanted;
      return write({ topic: `${idea.topic}: ${idea.title}`.slice(0, 300), tone, language, length, audience }, options, idea);
    },
  };
}

async function writeWith(
  chat: Chat,
  prompt: ChatMessage[],
  fallbackTitle: string,
  idea: Idea | undefined,
  { signal, onHead, onText }: GenerateOptions,
): Promise<{ head: GeneratedHead; content: string }> {
  // A checked title stays, whatever the model writes; its topic is added to the post's.
  const settled = (head: GeneratedHead): GeneratedHead =>
    idea === undefined ? head : { ...head, title: idea.title, topics: topicsOf([idea.topic, ...head.topics]) };
  const begin = () =>
    readGenerated({
      title: idea?.title ?? fallbackTitle,
      onHead: (head) => onHead?.(settled(head)),
      onText: (text) => onText?.(text),
    });
  let reader = begin();
  const onRestart = () => {
    reader = begin();
  };
  await chat.stream(prompt, { signal, onText: (text) => reader.feed(text), onRestart });
  const read = reader.end();
  if (read === undefined) throw new RemoteError("garbage", `The model at ${chat.host} answered without a text.`);
  return { head: settled(read.head), content: read.content };
}

/** Asks for suggestions until one of them is new. @throws Problem `noNewTopic` */
async function findIdea(chat: Chat, wanted: WantedUnique, written: Written, signal: AbortSignal | undefined): Promise<Idea> {
  const titles = written.titles.map(trigramsOf);
  const topics = written.topics.map(trigramsOf);
  const isLike = (text: string, others: readonly Trigrams[], limit: number) => {
    const own = trigramsOf(text);
    return others.some((other) => similarityOf(own, other) >= limit);
  };
  const shown = { titles: written.titles.slice(0, shownTitles), topics: written.topics.slice(0, shownTopics) };
  const refused: string[] = [];
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const ideas = ideasIn(await chat.complete(topicPrompt(wanted, shown, refused), { signal, temperature: 1 }));
    const fresh = ideas.find(
      ({ topic, title }) =>
        !isLike(title, titles, sameTitle) && !isLike(title, topics, sameTopic) && !isLike(topic, topics, sameTopic),
    );
    if (fresh !== undefined) return fresh;
    for (const { title } of ideas) refused.push(title);
  }
  throw new Problem("noNewTopic");
}

/** The titles of all posts, the latest first, and their topics, the most frequent first. */
async function readWritten(db: Db): Promise<Written> {
  const posts = await listTitles(db);
  return { titles: posts.map(({ title }) => title), topics: await listTopics(db) };
}
