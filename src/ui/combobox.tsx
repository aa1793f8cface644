import { type KeyboardEvent, useId, useState } from "react";
import styles from "./combobox.module.css";
import fieldStyles from "./field.module.css";
import { Icon } from "./icon.tsx";

export interface ComboboxOption {
  value: string;
  label: string;
  /** Shown beside the label: the native name. */
  detail?: string;
  /** A second line: why it is unavailable, or restricted. */
  note?: string | undefined;
  /** Further search terms. */
  keywords: readonly string[];
  disabled?: boolean;
  /** Options with the same heading are grouped. */
  group: string;
}

interface ComboboxProps {
  label: string;
  options: readonly ComboboxOption[];
  value: string;
  /** Shown when nothing matches. */
  emptyText: string;
  disabled?: boolean;
  onChange(value: string): void;
}

/** Without accents and case, so that "portugues" matches "Português". */
export function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
}

/** The matching options, prefix matches first; in the order of their groups. */
export function matching(options: readonly ComboboxOption[], typed: string): readonly ComboboxOption[] {
  const wanted = plain(typed);
  if (wanted === "") return options;
  const rank = ({ label, keywords }: ComboboxOption) => {
    const texts = [label, ...keywords].map(plain);
    return texts.some((text) => text.startsWith(wanted)) ? 0 : texts.some((text) => text.includes(wanted)) ? 1 : 2;
  };
  const ranked = options.map((option) => ({ option, rank: rank(option) })).filter(({ rank }) => rank < 2);
  const groups = [...new Set(options.map(({ group }) => group))];
  return ranked
    .toSorted((a, b) => groups.indexOf(a.option.group) - groups.indexOf(b.option.group) || a.rank - b.rank)
    .map(({ option }) => option);
}

interface Search {
  typed: string;
  /** The option that Enter selects. */
  at: number;
}

/** The next enabled option in this direction; the same one when there is none. */
function step(options: readonly ComboboxOption[], from: number, by: 1 | -1): number {
  for (let at = from + by; at >= 0 && at < options.length; at += by) if (!options[at]?.disabled) return at;
  return from;
}

/** The search term, and the handling of keys. */
function useSearch({ options, value, onChange }: Pick<ComboboxProps, "options" | "value" | "onChange">) {
  const [search, setSearch] = useState<Search | null>(null);
  const found = search === null ? [] : matching(options, search.typed);
  const active = search === null ? undefined : found[search.at];
  const chosenAt = options.findIndex((option) => option.value === value);
  const open = () => setSearch((now) => now ?? { typed: "", at: Math.max(0, chosenAt) });
  const close = () => setSearch(null);
  const type = (typed: string) => setSearch({ typed, at: Math.max(0, step(matching(options, typed), -1, 1)) });
  const choose = (option: ComboboxOption | undefined) => {
    if (option === undefined || option.disabled) return;
    close();
    if (option.value !== value) onChange(option.value);
  };
  const move = (by: 1 | -1) => (search === null ? open() : setSearch({ ...search, at: step(found, search.at, by) }));
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") move(event.key === "ArrowDown" ? 1 : -1);
    else if (search !== null && event.key === "Enter") choose(active);
    else if (search !== null && event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { typed: search?.typed, found, active, open, close, type, choose, onKeyDown };
}

/** A searchable select for long lists (ARIA Authoring Practices: editable combobox with list autocomplete). */
export function Combobox({ label, options, value, emptyText, disabled = false, onChange }: ComboboxProps) {
  const id = useId();
  const { typed, found, active, open, close, type, choose, onKeyDown } = useSearch({ options, value, onChange });
  const chosen = options.find((option) => option.value === value);
  return (
    <div className={`${fieldStyles.field} ${styles.combobox}`}>
      <label htmlFor={id} className={fieldStyles.label}>
        {label}
      </label>
      <span className={styles.box}>
        <input
          id={id}
          className={fieldStyles.control}
          role="combobox"
          aria-expanded={typed !== undefined}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active === undefined ? undefined : `${id}-${active.value}`}
          autoComplete="off"
          spellCheck={false}
          disabled={disabled}
          value={typed ?? chosen?.label ?? ""}
          placeholder={chosen?.label}
          onClick={open}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
          onBlur={close}
        />
        <Icon name="search" />
      </span>
      {typed === undefined ? null : (
        <List id={id} label={label} found={found} active={active} value={value} emptyText={emptyText} choose={choose} />
      )}
    </div>
  );
}

interface ListProps {
  id: string;
  label: string;
  found: readonly ComboboxOption[];
  active: ComboboxOption | undefined;
  value: string;
  emptyText: string;
  choose(option: ComboboxOption): void;
}

function List({ id, label, found, active, value, emptyText, choose }: ListProps) {
  return (
    // The input keeps the focus, so that a click here does not close the list before the choice.
    <div className={styles.sheet} onPointerDown={(event) => event.preventDefault()}>
      {found.length === 0 ? (
        <p className={styles.empty} role="status">
          {emptyText}
        </p>
      ) : null}
      <div role="listbox" id={`${id}-list`} aria-label={label}>
        {[...Map.groupBy(found, ({ group }) => group)].map(([group, options]) => (
          <div key={group} role="presentation">
            <p className={styles.group} aria-hidden="true">
              {group}
            </p>
            {options.map((option) => (
              <div
                key={option.value}
                id={`${id}-${option.value}`}
                className={`${styles.option} ${option === active ? styles.active : ""}`}
                role="option"
                tabIndex={-1}
                aria-selected={option.value === value}
                aria-disabled={option.disabled || undefined}
                ref={option === active ? (row) => row?.scrollIntoView({ block: "nearest" }) : undefined}
                onClick={() => choose(option)}
                onKeyDown={() => {}}
              >
                <span>
                  {option.label}
                  {option.detail && option.detail !== option.label ? (
                    <span className={styles.detail}> {option.detail}</span>
                  ) : null}
                </span>
                {option.note ? <span className={styles.note}>{option.note}</span> : null}
                {option.value === value ? <Icon name="check" /> : null}
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
