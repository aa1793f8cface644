import { createActor } from "xstate";
import type { RetentionPreview, RetentionRule } from "#contract/index.ts";
import { type RetentionDays, retentionMachine, selectDays, selectPreview } from "#machines/retention/machine.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const forEver: RetentionDays = { audioDays: null, textDays: null };
const month: RetentionDays = { audioDays: 30, textDays: null };
/** As many as days, so that the preview of another choice would be noticed. */
const previewOf = (rule: RetentionDays | undefined): RetentionPreview => ({
  audio: { soon: rule?.audioDays ?? 0, next: null },
  text: { soon: 0, next: null },
});

function prepare(stubs: Stubs) {
  const load = stubs.asking<RetentionDays, { folderId: string | null }>();
  const preview = stubs.asking<RetentionPreview, RetentionRule>();
  const save = stubs.asking<void, RetentionRule>();
  const machine = retentionMachine.provide({ actors: { load: load.logic, preview: preview.logic, save: save.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect, input: { folderId: null } });
    return { actor, load, preview, save };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const loading = ({ load }: Harness) => load;
const previewing = ({ preview }: Harness) => preview;
const saving = ({ save }: Harness) => save;

walkTests<Harness>({
  machine: retentionMachine,
  prepare,
  moves: [
    sent({ type: "days.changed", days: month }, "the sound is kept for a month"),
    sent({ type: "days.changed", days: forEver }, "all is kept for ever"),
    sent({ type: "save.requested" }),
    sent({ type: "reload.requested" }),
    answered("it is loaded", loading, () => forEver),
    refused("it can't be loaded", loading, failure("network")),
    answered("what it deletes is known", previewing, (_, input) => previewOf(input)),
    refused("what it deletes is unknown", previewing, failure("network")),
    answered("it is saved", saving, () => {}),
    refused("it can't be saved", saving, failure("notFound")),
  ],
  situation: (harness) => [selectDays(snapshot(harness)), selectPreview(snapshot(harness)), snapshot(harness).context.failure],
  rules: {
    "one call at a time": ({ load, preview, save }) => load.open().length + preview.open().length + save.open().length <= 1,
    "what is shown is what is chosen": (harness) => {
      const shown = selectPreview(snapshot(harness));
      return shown === null || shown.audio.soon === (selectDays(snapshot(harness))?.audioDays ?? 0);
    },
    "nothing is saved that was not shown": (harness) =>
      harness.save.open().length === 0 || selectPreview(snapshot(harness)) !== null,
  },
});
