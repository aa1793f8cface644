import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { type LoadingShown, selectFailure } from "#machines/collection/loading.ts";
import { type CollectionShown, selectItems, selectReturns } from "#machines/collection/selectors.ts";
import { claimFocus } from "#src/ui/claim-focus.ts";
import { Notice } from "#src/ui/notice.tsx";
import type { ActorWith } from "./actor.ts";

interface ItemsProps<One> {
  actor: ActorWith<CollectionShown<One> & LoadingShown, never>;
  /** The heading; `none` when there is no item. */
  texts: Record<"yours" | "none", string>;
  row(item: One): ReactNode;
  /** Why the last change failed. @param code an error code of the contract */
  failure(code: string): string;
}

/** The items below their heading, and why a change of one failed: a form says that itself. */
export function Items<One>({ actor, texts, row, failure }: ItemsProps<One>) {
  const items = useSelector(actor, selectItems);
  const returns = useSelector(actor, selectReturns);
  const code = useSelector(actor, selectFailure);
  const hasForm = useSelector(actor, ({ tags }) => tags.has("writing") || tags.has("changing"));
  return (
    <>
      {/* It takes the focus when what had it is gone: an item that was removed, for example. */}
      <h3 key={returns} ref={returns === 0 ? undefined : claimFocus} tabIndex={-1}>
        {items.length === 0 ? texts.none : texts.yours}
      </h3>
      <ul className="stack gap-0">{items.map(row)}</ul>
      {code === null || hasForm ? null : <Notice tone="danger">{failure(code)}</Notice>}
    </>
  );
}
