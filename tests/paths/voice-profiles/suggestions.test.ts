import { createActor, type EventObject } from "xstate";
import type { SpeakerSuggestion } from "#contract/index.ts";
import type { SuggestionsEvent } from "#machines/voice-profiles/events.ts";
import { selectSuggestions, suggestionsMachine } from "#machines/voice-profiles/suggestions.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const anna: SpeakerSuggestion = { speaker: "1", profile: "anna", name: "Anna" };
const ben: SpeakerSuggestion = { speaker: "2", profile: "ben", name: "Ben" };

function prepare(stage: Stage) {
  const load = stage.asking<readonly SpeakerSuggestion[], { id: string }>();
  const decline = stage.asking<readonly SpeakerSuggestion[], { id: string; suggestion: SpeakerSuggestion }>();
  const machine = suggestionsMachine.provide({ actors: { load: load.logic, decline: decline.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect, input: { id: "t" } });
    const emitted: string[] = [];
    actor.on("*", ({ type }: EventObject) => emitted.push(type));
    return { actor, load, decline, emitted, server: { now: [anna, ben] } };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const shown = (rig: Rig) => selectSuggestions(snapshot(rig));
const loading = ({ load }: Rig) => load;
const declining = ({ decline }: Rig) => decline;
const isShown = (rig: Rig, suggestion: SpeakerSuggestion) => shown(rig).includes(suggestion);
const speak = (name: string, speakers: readonly string[], diarizing = false) =>
  sent<SuggestionsEvent>({ type: "speakers.changed", speakers, diarizing }, name);
const about = (type: "suggestion.accepted" | "suggestion.declined", suggestion: SpeakerSuggestion) => ({
  name: `${type} (${suggestion.name})`,
  may: (rig: Rig) => isShown(rig, suggestion),
  happen: ({ actor }: Rig) => actor.send({ type, suggestion }),
});

walkTests<Rig>({
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
    answered("it is remembered", declining, (rig, input) => {
      rig.server.now = rig.server.now.filter(({ profile }) => profile !== input?.suggestion.profile);
      return rig.server.now;
    }),
    refused("it can't be remembered", declining, failure("network")),
  ],
  situation: (rig) => [
    snapshot(rig).context.speakers,
    snapshot(rig).context.diarizing,
    shown(rig).map(({ profile }) => profile),
    snapshot(rig).context.declined.map(({ profile }) => profile),
    rig.server.now.length,
  ],
  rules: {
    "one call at a time": ({ load, decline }) => load.open().length + decline.open().length <= 1,
    "what is declined is not shown while that is on its way": (rig) =>
      snapshot(rig).context.declined.every(({ profile }) => shown(rig).every((one) => one.profile !== profile)),
    "what is declined is on its way, or waits for an answer": (rig) =>
      snapshot(rig).context.declined.length === 0 ||
      rig.decline.open().length + rig.load.open().length === 1 ||
      snapshot(rig).matches("unavailable"),
    "nobody is asked where everybody has a name, or while it is found out": (rig) => {
      const { speakers, diarizing } = snapshot(rig).context;
      return rig.load.open().length === 0 || (!diarizing && speakers.some((speaker) => /^\d+$/.test(speaker)));
    },
  },
});
