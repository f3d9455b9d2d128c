# Completion of muster in fish: put 'muster completion fish | source' into ~/.config/fish/config.fish.
function __muster_offers
    # The typed words are passed on unchanged: nothing in them is expanded or run.
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    set -l head (string match -r -- '^-[^=]*=' "$current")
    for line in (muster complete -- $typed[2..-1] "$current" 2>/dev/null)
        string match -q -- ':*' $line; or printf '%s%s\n' "$head" $line
    end
end
complete -c muster -e
complete -c muster -f -a '(__muster_offers)'
