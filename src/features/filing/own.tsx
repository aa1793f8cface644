import { useSelector } from "@xstate/react";
import { useMemo } from "react";
import type { TranscriptionSummary } from "#contract/index.ts";
import { selectIsLoading, selectIsOffered } from "#machines/filing/machine.ts";
import type { Placing } from "#machines/filing/rules.ts";
import { perRecord } from "#src/features/session/per-owner.ts";
import { type OpenFiling, openFiling } from "./actor.ts";
import { PlaceMenus } from "./menus.tsx";
import { RowLabels } from "./row-parts.tsx";

interface OwnProps {
  /** The transcript whose page is open. */
  item: TranscriptionSummary;
  /** It was placed: its folder, its tags, or whether it is a favourite. */
  onPlaced(placing: Placing): void;
  /** Is given what is to be called when the page is left. */
  onLeave(left: () => void): void;
}

function create(id: string, onPlaced: OwnProps["onPlaced"]): OpenFiling {
  const filing = openFiling();
  filing.bulk.on("rows.placed", ({ ids, placing }) => {
    if (ids.includes(id)) onPlaced(placing);
  });
  return filing;
}

const openFor = perRecord(create, (filing) => filing.close());
const openOwn = ({ item, onPlaced, onLeave }: OwnProps): OpenFiling => openFor(item.id, onLeave, onPlaced);

/** The folder and the tags of the transcript whose page is open. */
export function OwnLabels(props: OwnProps) {
  return <RowLabels filing={openOwn(props)} item={props.item} />;
}

/** Changes them, where the server has folders and tags. */
export function OwnMenus(props: OwnProps) {
  const { item } = props;
  const filing = openOwn(props);
  const rows = useMemo(() => [item], [item]);
  const isLoading = useSelector(filing.list, selectIsLoading);
  if (useSelector(filing.list, selectIsOffered)) return <PlaceMenus filing={filing} rows={rows} />;
  // Their place, so that the text below does not move when they come.
  return isLoading ? <span /> : null;
}
