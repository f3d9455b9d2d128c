#compdef muster
# Completion of muster in zsh: put 'source <(muster completion zsh)' into ~/.zshrc.
_muster() {
  local line
  local -a typed offers
  # The typed words are passed on unchanged: nothing in them is expanded or run.
  typed=("${(@)words[1,CURRENT-1]}" "$PREFIX")
  for line in "${(@f)$(muster complete -- "${(@)typed[2,-1]}" 2>/dev/null)}"; do
    [[ -n $line && $line != :* ]] || continue
    offers+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done
  [[ $PREFIX == -*=* ]] && compset -P 1 '*='
  _describe muster offers
}
if [[ ${funcstack[1]} == _muster ]]; then
  _muster "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _muster muster
fi
