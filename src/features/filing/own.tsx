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
  /** The transcript of the open page. */
  item: TranscriptionSummary;
  /** Called when its folder, its tags, or its favorite mark has changed. */
  onPlaced(placing: Placing): void;
  /** Receives a function to call when the user leaves the page. */
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

/** The folder and tags of the open page's transcript. */
export function OwnLabels(props: OwnProps) {
  return <RowLabels filing={openOwn(props)} item={props.item} />;
}

/** The menus that change them, if the server has folders and tags. */
export function OwnMenus(props: OwnProps) {
  const { item } = props;
  const filing = openOwn(props);
  const rows = useMemo(() => [item], [item]);
  const isLoading = useSelector(filing.list, selectIsLoading);
  if (useSelector(filing.list, selectIsOffered)) return <PlaceMenus filing={filing} rows={rows} />;
  // A placeholder, so that the text below does not move when the menus appear.
  return isLoading ? <span /> : null;
}
