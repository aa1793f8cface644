import { createActor, type EventObject } from "xstate";
import type { SpeakerSuggestion } from "#contract/index.ts";
import type { SuggestionsEvent } from "#machines/voice-profiles/events.ts";
import { selectSuggestions, suggestionsMachine } from "#machines/voice-profiles/suggestions.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const anna: SpeakerSuggestion = { speaker: "1", profile: "anna", name: "Anna" };
const ben: SpeakerSuggestion = { speaker: "2", profile: "ben", name: "Ben" };

function prepare(stubs: Stubs) {
  const load = stubs.asking<readonly SpeakerSuggestion[], { id: string }>();
  const decline = stubs.asking<readonly SpeakerSuggestion[], { id: string; suggestion: SpeakerSuggestion }>();
  const machine = suggestionsMachine.provide({ actors: { load: load.logic, decline: decline.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect, input: { id: "t" } });
    const emitted: string[] = [];
    actor.on("*", ({ type }: EventObject) => emitted.push(type));
    return { actor, load, decline, emitted, server: { now: [anna, ben] } };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const shown = (harness: Harness) => selectSuggestions(snapshot(harness));
const loading = ({ load }: Harness) => load;
const declining = ({ decline }: Harness) => decline;
const isShown = (harness: Harness, suggestion: SpeakerSuggestion) => shown(harness).includes(suggestion);
const speak = (name: string, speakers: readonly string[], diarizing = false) =>
  sent<SuggestionsEvent>({ type: "speakers.changed", speakers, diarizing }, name);
const about = (type: "suggestion.accepted" | "suggestion.declined", suggestion: SpeakerSuggestion) => ({
  name: `${type} (${suggestion.name})`,
  may: (harness: Harness) => isShown(harness, suggestion),
  happen: ({ actor }: Harness) => actor.send({ type, suggestion }),
});

walkTests<Harness>({
  machine: suggestionsMachine,
  prepare,
  moves: [
    speak("nobody is told apart", []),
    speak("two speak", ["1", "2"]),
    speak("both have names", ["Anna", "Ben"]),
    speak("it is found out again who speaks", ["1", "2"], true),
    about("suggestion.accepted", anna),
    about("suggestion.declined", anna),
    about("suggestion.declined", ben),
    answered("there are suggestions", loading, ({ server }) => server.now),
    refused("the server has no such call", loading, failure("notOffered")),
    refused("they can't be loaded", loading, failure("network")),
    answered("it is remembered", declining, (harness, input) => {
      harness.server.now = harness.server.now.filter(({ profile }) => profile !== input?.suggestion.profile);
      return harness.server.now;
    }),
    refused("it can't be remembered", declining, failure("network")),
  ],
  situation: (harness) => [
    snapshot(harness).context.speakers,
    snapshot(harness).context.diarizing,
    shown(harness).map(({ profile }) => profile),
    snapshot(harness).context.declined.map(({ profile }) => profile),
    harness.server.now.length,
  ],
  rules: {
    "one call at a time": ({ load, decline }) => load.open().length + decline.open().length <= 1,
    "what is declined is not shown while that is on its way": (harness) =>
      snapshot(harness).context.declined.every(({ profile }) => shown(harness).every((one) => one.profile !== profile)),
    "what is declined is on its way, or waits for an answer": (harness) =>
      snapshot(harness).context.declined.length === 0 ||
      harness.decline.open().length + harness.load.open().length === 1 ||
      snapshot(harness).matches("unavailable"),
    "nobody is asked where everybody has a name, or while it is found out": (harness) => {
      const { speakers, diarizing } = snapshot(harness).context;
      return harness.load.open().length === 0 || (!diarizing && speakers.some((speaker) => /^\d+$/.test(speaker)));
    },
  },
});
