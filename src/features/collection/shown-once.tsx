import { useSelector } from "@xstate/react";
import { type ReactNode, useId } from "react";
import { type ShownOnceEvent, selectCopied } from "#machines/collection/shown-once.ts";
import { Button } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import entries from "#src/ui/entries.module.css";
import type { ActorWith } from "./actor.ts";

interface ShownOnceProps {
  actor: ActorWith<{ tags: ReadonlySet<string> }, ShownOnceEvent>;
  /** Instructions for the value. */
  children: ReactNode;
  value: string;
  testId: string;
  /** The title, the buttons, and the result of copying. */
  say(key: "title" | "copy" | "done" | "copied" | "notCopied"): string;
}

/** Scrolls the whole section into view. It replaces the form, which was taller. */
const show = (section: HTMLElement | null) => section?.scrollIntoView({ block: "center" });

/** A secret that is shown only once. The user copies it, then dismisses it. */
export function ShownOnce({ actor, children, value, testId, say }: ShownOnceProps) {
  const id = useId();
  const copied = useSelector(actor, selectCopied);
  return (
    <section ref={show} className={entries.secret} aria-labelledby={id}>
      <h3 id={id} ref={claimFocus} tabIndex={-1}>
        {say("title")}
      </h3>
      <p>{children}</p>
      <code className={entries.value} data-testid={testId}>
        {value}
      </code>
      <div className="row">
        <Button
          icon={copied === "copied" ? "check" : "copy"}
          look="primary"
          onClick={() => actor.send({ type: "copy.requested", text: value })}
        >
          {say("copy")}
        </Button>
        <Button onClick={() => actor.send({ type: "secret.dismissed" })}>{say("done")}</Button>
        <span className="facts measure size-1" role="status">
          {copied === null ? "" : say(copied)}
        </span>
      </div>
    </section>
  );
}
