# -Z takes a context again, and the message about it quotes the wrong variable: after the last
# option it is null. "mkdir -Z a b"
s/"pm:vZ"/"pm:vZ:"/
/else if (optarg)/,/}/c\
          else\
            scontext = optarg;
s/quote (scontext)/quote (optarg)/
