import { useSelector } from "@xstate/react";
import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import { selectAllTags, selectFolders, selectIsOffered } from "#machines/filing/machine.ts";
import { selectFolder, selectOnlyFavourites, selectTags } from "#machines/transcriptions/filed-filters.ts";
import { selectDateRange, selectLanguage, selectStatus } from "#machines/transcriptions/filters.ts";
import { Glyph, TagDot } from "#src/features/filing/glyphs.tsx";
import { languageName } from "#src/i18n/format.ts";
import { SetFilter, SetFilters } from "#src/ui/filters/filters.tsx";
import type { OpenTranscriptions } from "./actor.ts";

type SetProps = Pick<OpenTranscriptions, "filters" | "filedFilters" | "filing">;

/** The active filters, each with a button that removes it. */
export function HistorySetFilters({ filters, filedFilters, filing }: SetProps) {
  const { t, i18n } = useTranslation("app");
  const [language, dateRange, status] = [
    useSelector(filters, selectLanguage),
    useSelector(filters, selectDateRange),
    useSelector(filters, selectStatus),
  ];
  const isFiled = useSelector(filing.list, selectIsOffered);
  return (
    <SetFilters label={t("history.set")}>
      {isFiled ? <SetFiled filedFilters={filedFilters} filing={filing} /> : null}
      {language === "all" ? null : (
        <Chip
          name={languageName(language, i18n.language)}
          onRemove={() => filters.send({ type: "language.changed", language: "all" })}
        />
      )}
      {dateRange === "all" ? null : (
        <Chip
          name={t(`history.dates.${dateRange}`)}
          onRemove={() => filters.send({ type: "dateRange.changed", dateRange: "all" })}
        />
      )}
      {status === "all" ? null : (
        <Chip name={t(`status.${status}`)} onRemove={() => filters.send({ type: "status.changed", status: "all" })} />
      )}
    </SetFilters>
  );
}

function SetFiled({ filedFilters, filing }: Pick<SetProps, "filedFilters" | "filing">) {
  const { t } = useTranslation("filing");
  const chosen = useSelector(filedFilters, selectFolder);
  const folder = useSelector(filing.list, selectFolders).find(({ id }) => id === chosen);
  const isFavourites = useSelector(filedFilters, selectOnlyFavourites);
  const ids = useSelector(filedFilters, selectTags);
  const tags = useSelector(filing.list, selectAllTags).filter(({ id }) => ids.includes(id));
  return (
    <>
      {isFavourites ? (
        <Chip
          sign={<Glyph name="star" filled />}
          name={t("favourites")}
          onRemove={() => filedFilters.send({ type: "favourites.toggled" })}
        />
      ) : null}
      {chosen === "none" || folder !== undefined ? (
        <Chip
          sign={<Glyph name="folder" />}
          name={folder?.name ?? t("noFolder")}
          onRemove={() => filedFilters.send({ type: "folder.changed", folder: "all" })}
        />
      ) : null}
      {tags.map(({ id, name, colour }) => (
        <Chip
          key={id}
          sign={<TagDot colour={colour} />}
          name={name}
          onRemove={() => filedFilters.send({ type: "tag.toggled", id })}
        />
      ))}
    </>
  );
}

type ChipProps = Omit<ComponentProps<typeof SetFilter>, "label">;

function Chip(props: ChipProps) {
  const { t } = useTranslation("app");
  return <SetFilter {...props} label={t("history.remove", { name: props.name })} />;
}
