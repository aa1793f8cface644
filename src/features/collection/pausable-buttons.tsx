import { useSelector } from "@xstate/react";
import { selectChanging, selectRemoving } from "#machines/collection/selectors.ts";
import { Button } from "#src/ui/button.tsx";
import type { ActorWith } from "./actor.ts";

interface PausableButtonsProps {
  actor: ActorWith<
    { tags: ReadonlySet<string>; context: { chosen: string | null } },
    { type: "change.requested"; id: string; change: { paused: boolean } } | { type: "removal.requested"; id: string }
  >;
  item: { id: string; paused: object | null };
  /** The button's label. With `Which` it also names the item, for screen readers. */
  say(key: `${"pause" | "resume" | "remove"}${"" | "Which"}`): string;
}

/** The buttons that pause, resume and remove an item. */
export function PausableButtons({ actor, item: { id, paused }, say }: PausableButtonsProps) {
  const changing = useSelector(actor, selectChanging);
  const removing = useSelector(actor, selectRemoving);
  const change = paused === null ? "pause" : "resume";
  return (
    <>
      <Button
        icon={paused === null ? "pause" : "play"}
        aria-label={say(`${change}Which`)}
        busy={changing === id}
        onClick={() => actor.send({ type: "change.requested", id, change: { paused: paused === null } })}
      >
        {say(change)}
      </Button>
      <Button
        icon="trash"
        aria-label={say("removeWhich")}
        busy={removing === id}
        onClick={() => actor.send({ type: "removal.requested", id })}
      >
        {say("remove")}
      </Button>
    </>
  );
}
