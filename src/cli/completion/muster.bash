# Completion of muster in bash: put 'source <(muster completion bash)' into ~/.bashrc.
_muster_complete() {
  COMPREPLY=()
  local line=${COMP_LINE:0:COMP_POINT} gap word out value about width text i
  local words=() values=() abouts=()
  # bash also splits words at = and :. Join parts without a blank in between into one word.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    gap=${line%%[![:space:]]*}
    line=${line#"$gap"}
    if ((i == COMP_CWORD)); then word=$line; else line=${line#"$word"}; fi
    if [[ -n $gap || $i == 0 ]]; then words+=("$word"); else words[${#words[@]}-1]+=$word; fi
  done
  word=${words[${#words[@]}-1]}
  out=$(muster complete -- "${words[@]:1}" 2>/dev/null) || return 0
  # In --flag=value, bash replaces only the part after =, unless = was removed from its word breaks.
  local head=
  if [[ $word == -*=* ]]; then
    [[ $COMP_WORDBREAKS == *=* ]] || head=${word%%=*}=
    word=${word#*=}
  fi
  width=0
  while IFS=$'\t' read -r value about; do
    [[ -n $value && $value != :* && $value == "$word"* ]] || continue
    values+=("$head$value") abouts+=("$about")
    ((${#value} > width)) && width=${#value}
  done <<<"$out"
  for ((i = 0; i < ${#values[@]}; i++)); do
    text=${values[i]}
    # Descriptions are shown only when bash lists several candidates and inserts none of them.
    if [[ ${COMP_TYPE:-9} == 63 && -n ${abouts[i]} ]] && ((${#values[@]} > 1)); then
      printf -v text "%-${width}s  %s" "$text" "${abouts[i]}"
      text=${text:0:${COLUMNS:-80}-1}
    fi
    COMPREPLY+=("$text")
  done
}
complete -F _muster_complete muster
