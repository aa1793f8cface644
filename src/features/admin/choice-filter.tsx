import { SelectField } from "#src/ui/field.tsx";

/**
 * A filter with a fixed list of values.
 * @param textOf a value's text in the language of the page
 */
export function ChoiceFilter<Value extends string>({
  label,
  name,
  value,
  values,
  textOf,
  onChoose,
}: {
  label: string;
  name: string;
  value: Value;
  values: readonly Value[];
  textOf(value: Value): string;
  onChoose(value: Value): void;
}) {
  return (
    <SelectField
      label={label}
      name={name}
      value={value}
      onChange={(event) => onChoose(values.find((one) => one === event.target.value) ?? value)}
    >
      {values.map((one) => (
        <option key={one} value={one}>
          {textOf(one)}
        </option>
      ))}
    </SelectField>
  );
}
