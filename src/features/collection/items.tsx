import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { type LoadingShown, selectFailure } from "#machines/collection/loading.ts";
import { type CollectionShown, selectItems, selectReturns } from "#machines/collection/selectors.ts";
import { claimFocus } from "#src/ui/claim-focus.ts";
import { Notice } from "#src/ui/notice.tsx";
import type { ActorWith } from "./actor.ts";

interface ItemsProps<One> {
  actor: ActorWith<CollectionShown<One> & LoadingShown, never>;
  /** The headings with and without items. */
  texts: Record<"yours" | "none", string>;
  row(item: One): ReactNode;
  /** The text for the last change's failure. @param code an error code of the contract */
  failure(code: string): string;
}

/** The items below their heading, and the failure of the last change. A form shows its own failure. */
export function Items<One>({ actor, texts, row, failure }: ItemsProps<One>) {
  const items = useSelector(actor, selectItems);
  const returns = useSelector(actor, selectReturns);
  const code = useSelector(actor, selectFailure);
  const hasForm = useSelector(actor, ({ tags }) => tags.has("writing") || tags.has("changing"));
  return (
    <>
      {/* Takes the focus when the focused element disappears, for example with a removed item. */}
      <h3 key={returns} ref={returns === 0 ? undefined : claimFocus} tabIndex={-1}>
        {items.length === 0 ? texts.none : texts.yours}
      </h3>
      <ul className="stack gap-0">{items.map(row)}</ul>
      {code === null || hasForm ? null : <Notice tone="danger">{failure(code)}</Notice>}
    </>
  );
}
